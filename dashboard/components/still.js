// A picture drawn by the server: shows what a mark says on hover, and tells which mark was clicked.

const READABLE = 560;

function tipOf() {
  let tip = document.querySelector(".fb-tip");
  if (!tip) {
    tip = document.createElement("div");
    tip.className = "fb-tip";
    tip.setAttribute("role", "tooltip");
    tip.hidden = true;
    document.body.append(tip);
  }
  return tip;
}

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  drawSaves(parentElement.querySelector(".fb-save"), data.saves, setTriggerValue);
  const root = parentElement.querySelector(".fb-figure");
  if (root.fbSaid === data.name) return;
  root.fbSaid = data.name;
  const picture = new DOMParser().parseFromString(data.svg, "image/svg+xml").documentElement;
  picture.setAttribute("role", "group");
  picture.setAttribute("aria-label", data.alt);
  picture.style.maxWidth = `${1.2 * data.width}px`;
  picture.style.minWidth = `${Math.min(data.width, READABLE)}px`;  // a narrow page scrolls it
  root.replaceChildren(document.adoptNode(picture));
  const tip = tipOf();
  picture.onpointermove = (event) => {
    const mark = event.target.closest("[data-row]");
    tip.hidden = !mark;
    if (!mark) return;
    tip.textContent = mark.getAttribute("aria-label").split("; \u2063").join("\n");
    const left = event.clientX + 14, top = event.clientY + 14;
    tip.style.left = `${Math.max(4, Math.min(left, window.innerWidth - tip.offsetWidth - 8))}px`;
    tip.style.top = `${top + tip.offsetHeight > window.innerHeight ? Math.max(4, event.clientY - tip.offsetHeight - 10) : top}px`;
  };
  picture.onpointerleave = () => { tip.hidden = true; };
  picture.onclick = (event) => {
    const mark = event.target.closest('[data-row]:not([data-row=""])');
    if (!mark) return;
    tip.hidden = true;
    setTriggerValue("pick", { name: data.name, row: Number(mark.dataset.row) });
  };
  return () => { tip.hidden = true; };
}
