// The side bar, and the address bar: completed in place, one step of the history for one click.

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
function settle(search) {
  const wanted = new URLSearchParams(search).toString();
  if (wanted !== new URLSearchParams(window.location.search).toString())
    window.history.replaceState(window.history.state, "", search);
}

// A run that is cut off by the next click can lose that click; then the browser follows the link itself.
let lost = null, wanted = null;

function links(found, label, open) {
  const list = make("nav", "fb-nav");
  list.setAttribute("aria-label", label);
  for (const page of found) {
    const link = make("a", "fb-navlink");
    const icon = make("span", "fb-icon", page.icon);
    icon.setAttribute("aria-hidden", "true");
    link.append(icon, page.label);
    link.href = page.href;
    if (page.here) link.setAttribute("aria-current", "page");
    link.onclick = (event) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      clearTimeout(lost);
      wanted = page.name;
      lost = setTimeout(() => window.location.assign(link.href), LOST_MS);
      open(page.name);
    };
    list.append(link);
  }
  return list;
}

function choice(found, choose) {
  const label = make("label", "fb-choice", found.label);
  const select = make("select", "fb-select");
  for (const name of found.options) {
    const option = make("option", "", name);
    option.value = name;
    option.selected = name === found.chosen;
    select.append(option);
  }
  select.setAttribute("aria-label", found.label);
  select.onchange = () => choose(select.value);
  label.append(select);
  return label;
}

// A choice that the page shows, or offers no more, is no longer waited for.
function arrived(until, choices) {
  const found = choices.find((choice) => choice.label === until.wish?.label);
  if (until.wish !== null && (!found || found.chosen === until.wish.value)) shown(until);
}

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  oneStepAClick();
  if (data.search !== null) settle(data.search);
  const root = parentElement.querySelector(".fb-side");
  const until = untilShown(root, component, (waited) => {
    clearTimeout(lost);
    if (!waited) return;
    root.fbSaid = null;
    draw();
  });
  arrived(until, data.choices);
  if (data.groups.some((group) => group.links.some((link) => link.here && link.name === wanted))) clearTimeout(lost);
  draw();
  return () => until.leave.abort();

  function draw() {
    const said = JSON.stringify(data);
    if (root.fbSaid === said) return;
    root.fbSaid = said;
    const open = (name) => setTriggerValue("open", name);
    root.replaceChildren(
      make("div", "fb-brand", "Flipbook"),
      ...data.groups.map((group) => links(group.links, group.label, open)),
      ...data.choices.map((found) => choice(found, (value) => ask(until, "choose", { label: found.label, value }))),
      make("p", "fb-quiet", data.note),
    );
  }
}
