// The way through a list of questions: buttons, arrow keys and a line for an id.
//
// Presses count on from where the presses before them lead to, also while the page is still on its way there.

const TOGETHER_MS = 120;
const LOST_MS = 4000;
const TRIES = 3;

// position: where the page is. target: where the presses lead. sent: what the server was told and the page has not shown yet.
// Every timer reads this object, never the call that began it: the page may have arrived somewhere since.
function walkOf(root, position) {
  return (root.fbWalk ??= { position, target: position, sent: null, timer: null, again: null });
}

// Presses no longer count: the reader goes another way.
function stay(walk) {
  clearTimeout(walk.timer);
  clearTimeout(walk.again);
  Object.assign(walk, { target: walk.position, sent: null, timer: null, again: null });
}

function arrived(walk, position) {
  if (walk.sent === null) walk.target += position - walk.position;  // led here by something else: presses count from here
  else if (walk.sent === position) {
    clearTimeout(walk.again);
    walk.sent = null;
  }
  walk.position = position;
}

// A run that is cut off can lose what it was told: where to go is absolute, so it may be said again.
function send(root, tries) {
  const walk = root.fbWalk;
  walk.timer = null;
  if (!root.isConnected) return;
  const there = walk.target === walk.position && (walk.sent === null || tries < TRIES);
  if (there || tries === 0) return stay(walk);
  walk.sent = walk.target;
  root.fbTell("to", walk.target);
  clearTimeout(walk.again);
  walk.again = setTimeout(() => send(root, tries - 1), LOST_MS);
}

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const root = parentElement.querySelector(".fb-walk");
  const walk = walkOf(root, data.position);
  root.fbTell = setTriggerValue;
  arrived(walk, data.position);
  const go = (step) => {
    const target = Math.max(1, Math.min(data.of, walk.target + step));
    if (target === walk.target) return;
    walk.target = target;
    clearTimeout(walk.timer);
    walk.timer = setTimeout(() => send(root, TRIES), TOGETHER_MS);
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
    stay(walk);
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
      stay(walk);
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
  window.addEventListener("popstate", () => stay(walk), { signal: root.fbKeys.signal });
  return () => { root.fbKeys.abort(); };
}
