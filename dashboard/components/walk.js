// The way through a list of questions: buttons, arrow keys and a line for an id. Presses that follow each other quickly are added up.

const TOGETHER_MS = 120;

function make(tag, className, text) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text) element.textContent = text;
  return element;
}

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const root = parentElement.querySelector(".fb-walk");
  let steps = 0, timer = null;
  const go = (step) => {
    if ((step < 0 && !data.previous) || (step > 0 && !data.following)) return;
    steps += step;
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (steps) setTriggerValue("step", steps);
      steps = 0;
    }, TOGETHER_MS);
  };
  const button = (label, possible, step) => {
    const element = make("button", "fb-button", label);
    element.type = "button";
    element.disabled = !possible;
    element.onclick = () => go(step);
    return element;
  };
  const line = make("input", "fb-find");
  line.placeholder = data.hint;
  line.setAttribute("aria-label", data.hint);
  line.onkeydown = (event) => {
    if (event.key !== "Enter" || !line.value.trim()) return;
    setTriggerValue("typed", line.value);
    line.value = "";
  };
  root.replaceChildren(button("‹ Previous ←", data.previous, -1), button("Next → ›", data.following, 1), line);
  if (data.back) {
    const back = make("a", "fb-link", data.back.label);
    back.href = data.back.href;
    back.onclick = (event) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      setTriggerValue("back", true);
    };
    root.append(back);
  }
  root.fbKeys?.abort();
  root.fbKeys = new AbortController();
  window.addEventListener(
    "keydown",
    (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      if (event.target.closest?.("input, textarea, select, [contenteditable], [role=combobox], [role=radiogroup]")) return;
      if (event.key === "ArrowLeft") go(-1);
      else if (event.key === "ArrowRight") go(1);
    },
    { signal: root.fbKeys.signal },
  );
  return () => { root.fbKeys.abort(); };
}
