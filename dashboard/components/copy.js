// A button that puts a text, or the page's own address, into the clipboard.

async function copy(text) {
  if (navigator.clipboard && window.isSecureContext) return navigator.clipboard.writeText(text);
  const area = document.createElement("textarea");  // outside localhost, plain http has no clipboard interface
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

export default function (component) {
  const { data, parentElement } = component;
  const button = parentElement.querySelector("button");
  button.textContent = data.label;
  button.title = data.title;
  button.onclick = async () => {
    await copy(data.text ?? window.location.href);
    button.textContent = "Copied ✓";
    setTimeout(() => { button.textContent = data.label; }, 1500);
  };
}
