// The address bar: completed in place, and one step of the history for one click.

const SAME_CLICK_MS = 1500;

// Streamlit changes page in two pushes, first the new query on the old path, then the new path. The second becomes a replacement,
// or Back would first meet the old page with the new page's query.
function oneStepAClick() {
  if (window.history.fbOneStep) return;
  window.history.fbOneStep = true;
  const push = window.history.pushState.bind(window.history);
  let queryPushedAt = -Infinity;
  window.history.pushState = (state, title, url) => {
    const here = window.location, there = new URL(url, here.href);
    const secondHalf = there.pathname !== here.pathname && there.search === here.search;
    if (secondHalf && performance.now() - queryPushedAt < SAME_CLICK_MS) window.history.replaceState(state, title, url);
    else push(state, title, url);
    queryPushedAt = there.pathname === here.pathname ? performance.now() : -Infinity;
  };
}

// Nobody chose what a page adds to its link, so Back leaves the page instead of meeting the incomplete link again.
export default function (component) {
  oneStepAClick();
  const wanted = new URLSearchParams(component.data.search).toString();
  if (wanted !== new URLSearchParams(window.location.search).toString())
    window.history.replaceState(window.history.state, "", component.data.search);
}
