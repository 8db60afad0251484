// Controls of a page in one row. What is chosen goes to the server; what stands here is what the page says.

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
    radio.dataset.at = `${control.key}=${value}`;
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
  list.dataset.at = control.key;
  list.onchange = () => choose(list.value);
  return list;
}

function words(control, choose) {
  const line = make("input", "fb-find");
  line.value = control.value;
  line.placeholder = control.hint;
  line.setAttribute("aria-label", control.label);
  line.dataset.at = control.key;
  line.onchange = () => choose(line.value.trim());
  return line;
}

function toggle(control, choose) {
  const box = make("input", "fb-switch");
  box.type = "checkbox";
  box.checked = control.value === "yes";
  box.setAttribute("aria-label", control.label);
  box.dataset.at = control.key;
  box.onchange = () => choose(box.checked ? "yes" : "");
  return box;
}

const KINDS = { segments, select, words, switch: toggle };

// Choices that the page shows, or has no control for any more, are no longer waited for.
function arrived(until, controls) {
  const values = new Map(controls.map((control) => [control.key, control.value]));
  for (const key of Object.keys(until.wish ?? {}))
    if (!values.has(key) || values.get(key) === until.wish[key]) delete until.wish[key];
  if (until.wish !== null && !Object.keys(until.wish).length) shown(until);
}

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const root = parentElement.querySelector(".fb-controls");
  const until = untilShown(root, component, draw);
  arrived(until, data.controls);
  draw();
  return () => until.leave.abort();

  function part(control) {
    const choose = (value) => {
      if (control.kind === "button") return setTriggerValue("choose", { [control.key]: value });
      ask(until, "choose", { ...until.wish, [control.key]: value });
      root.fbDrawn = state();  // the reader's own hand drew it
    };
    if (control.kind === "button") {
      const button = make("button", "fb-button", control.label);
      button.type = "button";
      button.disabled = control.value === "off";
      button.dataset.at = control.key;
      button.onclick = () => choose("");
      return button;
    }
    const box = make("div", `fb-control fb-${control.kind}-box`);
    const now = { ...control, value: until.wish?.[control.key] ?? control.value };
    box.append(make("span", "fb-label", control.label), KINDS[control.kind](now, choose));
    if (control.kind !== "words" && control.hint) box.title = control.hint;
    return box;
  }

  function state() {
    return JSON.stringify([data, until.wish]);
  }

  function draw() {
    if (root.fbDrawn === state()) return;
    root.fbDrawn = state();
    const at = root.contains(document.activeElement) ? document.activeElement.dataset.at : null;
    root.replaceChildren(...data.controls.map(part));
    if (at) root.querySelector(`[data-at="${CSS.escape(at)}"]`)?.focus();
  }
}
