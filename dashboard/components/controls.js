// Controls of a page in one row. What is chosen goes to the server; what stands here is what the page says.

function make(tag, className, text) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text) element.textContent = text;
  return element;
}

function segments(control, choose) {
  const group = make("div", "fb-segments");
  group.setAttribute("role", "radiogroup");
  group.setAttribute("aria-label", control.label);
  for (const [value, shown] of control.options) {
    const segment = make("label", "fb-segment", shown);
    const radio = make("input");
    radio.type = "radio";
    radio.name = `fb-${control.key}`;
    radio.checked = value === control.value;
    radio.setAttribute("aria-label", shown);
    radio.onchange = () => choose(value);
    segment.append(radio);
    group.append(segment);
  }
  return group;
}

function select(control, choose) {
  const list = make("select", "fb-select");
  for (const [value, shown] of control.options) {
    const option = make("option", "", shown);
    option.value = value;
    option.selected = value === control.value;
    list.append(option);
  }
  list.setAttribute("aria-label", control.label);
  list.onchange = () => choose(list.value);
  return list;
}

function words(control, choose) {
  const line = make("input", "fb-find");
  line.value = control.value;
  line.placeholder = control.hint;
  line.setAttribute("aria-label", control.label);
  line.onchange = () => choose(line.value);
  return line;
}

function toggle(control, choose) {
  const box = make("input", "fb-switch");
  box.type = "checkbox";
  box.checked = control.value === "yes";
  box.setAttribute("aria-label", control.label);
  box.onchange = () => choose(box.checked ? "yes" : "");
  return box;
}

const KINDS = { segments, select, words, switch: toggle };

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const root = parentElement.querySelector(".fb-controls");
  const said = JSON.stringify(data);
  if (root.fbSaid === said) return;
  root.fbSaid = said;
  root.replaceChildren(
    ...data.controls.map((control) => {
      const choose = (value) => {
        root.fbSaid = null;  // the page decides what stands here next
        setTriggerValue("choose", { key: control.key, value });
      };
      if (control.kind === "button") {
        const button = make("button", "fb-button", control.label);
        button.type = "button";
        button.disabled = control.value === "off";
        button.onclick = () => choose("");
        return button;
      }
      const box = make("div", `fb-control fb-${control.kind}-box`);
      box.append(make("span", "fb-label", control.label), KINDS[control.kind](control, choose));
      if (control.kind !== "words" && control.hint) box.title = control.hint;
      return box;
    }),
  );
}
