// Scrolls to where it stands whenever what it stands for changes: after a click below, the reader sees what opened above.

export default function (component) {
  const { data, parentElement } = component;
  if (parentElement.fbShown === data.what) return;
  parentElement.fbShown = data.what;
  parentElement.scrollIntoView({ block: "start", behavior: "instant" });
}
