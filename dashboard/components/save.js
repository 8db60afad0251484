// Small buttons that ask the server for a file and hand it to the browser once it is there. Shared by all that can be saved.

function drawSaves(bar, data, setTriggerValue) {
  bar.dataset.name = data.name;
  if (bar.childElementCount !== data.forms.length)
    bar.replaceChildren(
      ...data.forms.map((form) => {
        const button = document.createElement("button");
        button.type = "button";
        button.className = "fb-saves";
        button.textContent = form;
        button.title = `Save ${data.what} as ${form}`;
        button.onclick = () => setTriggerValue("save", form);
        return button;
      }),
    );
  if (!data.file || bar.fbSaved === data.file.turn) return;
  bar.fbSaved = data.file.turn;
  const bytes = Uint8Array.from(atob(data.file.base64), (sign) => sign.charCodeAt(0));
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([bytes], { type: data.file.mime }));
  link.download = data.file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}
