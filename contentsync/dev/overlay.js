// Shows the problems in the folder over a page. Texts are never parsed as HTML.
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

let shown = "[]", title, focused;
const restoreFocus = () => focused?.focus({ preventScroll: true });
const hide = () => {
  root.replaceChildren(button(title, "badge", draw));
  restoreFocus();
};
const item = ({ severity, place, code, message, line, excerpt, hint }) => {
  const element = make("li", { class: severity });
  element.append(p("place", place, " ", make("code", {}, code)), p("message", message));
  if (excerpt) {
    const [before, marked, behind] = excerpt;
    element.append(make("pre", { tabindex: 0 }, make("b", {}, `${line} | `), before, make("mark", {}, marked), behind));
  }
  if (hint) element.append(p("hint", hint));
  return element;
};
const draw = () => {
  const names = { role: "alertdialog", "aria-labelledby": "title", "aria-describedby": "list", tabindex: -1 };
  const dialog = make("div", names,
    make("div", { class: "head" }, make("h2", { id: "title" }, title), button("Hide (Esc)", "", hide)),
    p("", "The page still shows the last version without errors."),
    make("ol", { id: "list" }, ...JSON.parse(shown).map(item)));
  if (document.activeElement !== host) focused = document.activeElement;
  root.replaceChildren(make("div", { class: "behind" }, dialog));
  dialog.focus({ preventScroll: true });
};
export const show = (problems) => {
  const text = JSON.stringify(problems);
  if (text === shown) return; // also if the reader has hidden them
  shown = text;
  const errors = problems.filter(({ severity }) => severity === "error").length, others = problems.length - errors;
  if (!errors) return host.remove(), restoreFocus();
  title = counted(errors, "error") + (others ? `, ${counted(others, "warning")}` : "");
  document.documentElement.append(host);
  draw();
};
addEventListener("keydown", ({ key }) => key === "Escape" && root.querySelector("[role]") && hide());
