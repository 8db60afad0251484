// The way through a list of questions: buttons, arrow keys and a line for an id.
//
// Presses count on from where the presses before them lead to, also while the page is still on its way there.

const TOGETHER_MS = 120;

// position: where the page is. target: where the presses lead. The timer reads this object, never the call that began it: the
// page may have arrived somewhere since.
function arrived(walk, until, position) {
  if (until.wish === null) walk.target += position - walk.position;  // led here by something else: presses count from here
  else if (until.wish === position) shown(until);
  walk.position = position;
}

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const root = parentElement.querySelector(".fb-walk");
  const walk = (root.fbWalk ??= { position: data.position, target: data.position, timer: null });
  const until = untilShown(root, component, () => {
    clearTimeout(walk.timer);
    walk.target = walk.position;
  });
  arrived(walk, until, data.position);
  const send = () => {
    if (walk.target !== walk.position || until.wish !== null) ask(until, "to", walk.target);
  };
  const go = (step) => {
    const target = Math.max(1, Math.min(data.of, walk.target + step));
    if (target === walk.target) return;
    walk.target = target;
    clearTimeout(walk.timer);
    walk.timer = setTimeout(send, TOGETHER_MS);
  };
  const button = (label, step, possible) => {
    const element = make("button", "fb-button", label);
    element.type = "button";
    element.disabled = !possible;
    element.dataset.at = String(step);
    element.onclick = () => go(step);
    return element;
  };
  const line = make("input", "fb-find");
  line.dataset.at = "line";
  line.placeholder = data.hint;
  line.setAttribute("aria-label", data.hint);
  line.onkeydown = (event) => {
    if (event.key !== "Enter" || !line.value.trim()) return;
    drop(until);
    setTriggerValue("typed", line.value);
    line.value = "";
  };
  const parts = [
    button("‹ Previous ←", -1, data.position > 1),
    button("Next → ›", 1, data.position < data.of),
    line,
  ];
  if (data.back) {
    const back = make("a", "fb-link", data.back.label);
    back.href = data.back.href;
    back.onclick = (event) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      drop(until);
      setTriggerValue("back", true);
    };
    parts.push(back);
  }
  const at = root.contains(document.activeElement) ? document.activeElement.dataset.at : null;
  root.replaceChildren(...parts);
  if (at) parts.find((part) => part.dataset.at === at)?.focus();
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
  return () => {
    root.fbKeys.abort();
    until.leave.abort();
  };
}
