// Draws over a page what is wrong in the folder. Texts are never taken for HTML.
const style = new CSSStyleSheet();
await style.replace(await (await fetch("/_contentsync/overlay.css")).text());
const host = document.createElement("contentsync-problems");
const root = host.attachShadow({ mode: "open" });
root.adoptedStyleSheets = [style];
const make = (name, attributes, ...children) => {
  const element = document.createElement(name);
  for (const key in attributes) element.setAttribute(key, attributes[key]);
  element.append(...children);
  return element;
};
const p = (kind, ...children) => make("p", { class: kind }, ...children);
const button = (label, kind, act) => {
  const element = make("button", { type: "button", class: kind }, label);
  element.onclick = act;
  return element;
};
const counted = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;

let told = "[]", title, focused;
const back = () => focused?.focus({ preventScroll: true });
const hide = () => {
  root.replaceChildren(button(title, "badge", draw));
  back();
};
const item = ({ severity, place, code, message, line, excerpt, hint }) => {
  const shown = make("li", { class: severity });
  shown.append(p("place", place, " ", make("code", {}, code)), p("message", message));
  if (excerpt) {
    const [before, marked, behind] = excerpt;
    shown.append(make("pre", { tabindex: 0 }, make("b", {}, `${line} | `), before, make("mark", {}, marked), behind));
  }
  if (hint) shown.append(p("hint", hint));
  return shown;
};
const draw = () => {
  const names = { role: "alertdialog", "aria-labelledby": "title", "aria-describedby": "list", tabindex: -1 };
  const dialog = make("div", names,
    make("div", { class: "head" }, make("h2", { id: "title" }, title), button("Hide (Esc)", "", hide)),
    p("", "The page shows the content as it was before."),
    make("ol", { id: "list" }, ...JSON.parse(told).map(item)));
  if (document.activeElement !== host) focused = document.activeElement;
  root.replaceChildren(make("div", { class: "behind" }, dialog));
  dialog.focus({ preventScroll: true });
};
export const tell = (problems) => {
  const text = JSON.stringify(problems);
  if (text === told) return; // also where somebody has hidden them
  told = text;
  const errors = problems.filter(({ severity }) => severity === "error").length, others = problems.length - errors;
  if (!errors) return host.remove(), back();
  title = counted(errors, "error") + (others ? `, ${counted(others, "warning")}` : "");
  document.documentElement.append(host);
  draw();
};
addEventListener("keydown", ({ key }) => key === "Escape" && root.querySelector("[role]") && hide());
