// What the reader did and the page does not show yet.
//
// A run that is cut off by the next click can lose what it was told, so it is told again until the page shows it. When the reader
// goes Back, or the page does not follow, it is given up and the component draws what the page says.

const LOST_MS = 4000;
const TRIES = 2;

// wish: null when the page shows everything. giveUp: draws what the page says; called with whether there was a wish.
function untilShown(root, component, giveUp) {
  const until = (root.fbUntil ??= { root, wish: null, timer: null, leave: null });
  Object.assign(until, { tell: component.setTriggerValue, giveUp });
  until.leave?.abort();
  until.leave = new AbortController();
  window.addEventListener("popstate", () => drop(until), { signal: until.leave.signal });
  return until;
}

function ask(until, event, wish, tries = TRIES) {
  clearTimeout(until.timer);
  if (tries === 0 || !until.root.isConnected) return drop(until);
  until.wish = wish;
  until.tell(event, wish);
  until.timer = setTimeout(() => ask(until, event, wish, tries - 1), LOST_MS);
}

function shown(until) {
  clearTimeout(until.timer);
  until.wish = null;
}

function drop(until) {
  const waited = until.wish !== null;
  shown(until);
  until.giveUp(waited);
}
