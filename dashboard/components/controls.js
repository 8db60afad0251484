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

const LOST_MS = 4000;
const KINDS = { segments, select, words, switch: toggle };

// What was chosen and is not on the page yet: said again with the next choice, for a run that is cut off takes its choice with it.
function waiting(root, data) {
  const chosen = root.fbChosen ?? {};
  for (const control of data.controls) if (chosen[control.key] === control.value) delete chosen[control.key];
  return performance.now() - (root.fbAt ?? 0) > LOST_MS ? {} : chosen;
}

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const root = parentElement.querySelector(".fb-controls");
  root.fbChosen = waiting(root, data);
  const said = JSON.stringify(data);
  if (root.fbSaid === said) return;
  root.fbSaid = said;
  const parts = data.controls.map((control) => {
    const choose = (value) => {
      root.fbSaid = null;  // the page decides what stands here next
      root.fbAt = performance.now();
      if (control.kind === "button") return setTriggerValue("choose", { [control.key]: value });
      root.fbChosen[control.key] = value;
      setTriggerValue("choose", { ...root.fbChosen });
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
    const now = { ...control, value: root.fbChosen[control.key] ?? control.value };
    box.append(make("span", "fb-label", control.label), KINDS[control.kind](now, choose));
    if (control.kind !== "words" && control.hint) box.title = control.hint;
    return box;
  });
  const at = root.contains(document.activeElement) ? document.activeElement.dataset.at : null;
  root.replaceChildren(...parts);
  if (at) root.querySelector(`[data-at="${CSS.escape(at)}"]`)?.focus();
}
