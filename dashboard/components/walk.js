// The way through a list of questions: buttons, arrow keys and a line for an id.
//
// Presses count on from where the presses before them lead to, also while the page is still on its way there.

const TOGETHER_MS = 120;
const LOST_MS = 5000;

function arrived(root, data) {
  const before = root.fbWalk;
  const underway = before && before.sent !== null && before.sent !== data.position && performance.now() - before.at < LOST_MS;
  if (!before || !underway) root.fbWalk = { target: data.position, sent: null, at: 0, timer: before?.timer ?? null };
  if (before && !underway && before.sent !== null) root.fbWalk.target += before.target - before.sent;  // pressed, not yet sent
}

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const root = parentElement.querySelector(".fb-walk");
  arrived(root, data);
  const send = () => {
    const walk = root.fbWalk;
    if (walk.target === data.position && walk.sent === null) return;
    Object.assign(walk, { sent: walk.target, at: performance.now() });
    setTriggerValue("to", walk.target);
  };
  const go = (step) => {
    const walk = root.fbWalk, target = Math.max(1, Math.min(data.of, walk.target + step));
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
  return () => { root.fbKeys.abort(); };
}
