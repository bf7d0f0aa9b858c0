// What of a page of ours was not made by its templates, as a list of complaints; `readable` is a text that it shows.
readable => {
  const complaints = [];
  const say = (element, what) => complaints.push(`${what}: ${element.outerHTML.slice(0, 200)}`);
  const links = new Set(["http:", "https:", "mailto:", "tel:"]);
  const pictures = new Set(["http:", "https:"]);
  const frames = ["https://www.youtube-nocookie.com/embed/", "https://player.vimeo.com/video/"];
  const never = "object, embed, applet, base, meta[http-equiv], style, svg, math, template, frameset, frame, portal, dialog," +
    " video, audio, source, marquee, textarea, isindex, area, map, noscript, plaintext, xmp, [srcdoc], [formaction], [style]," +
    " [background], [srcset], [poster], [ping], [contenteditable], [autofocus], [is], main main, article [class*=site-]";

  for (const element of document.querySelectorAll(never)) say(element, "not of ours");
  for (const element of document.querySelectorAll("*")) {
    for (const { name } of element.attributes) if (name.startsWith("on")) say(element, `handler ${name}`);
    if (element.namespaceURI !== "http://www.w3.org/1999/xhtml") say(element, "another namespace");
  }
  for (const script of document.scripts) {
    if (script.type !== "application/ld+json" || script.src) { say(script, "script"); continue; }
    try { JSON.parse(script.textContent); } catch (error) { say(script, `JSON-LD (${error.message})`); }
  }
  for (const link of document.querySelectorAll("a[href]")) if (!links.has(link.protocol)) say(link, "link");
  for (const link of document.querySelectorAll("a[target]")) if (!link.relList.contains("noopener")) say(link, "opener");
  for (const picture of document.images) {
    if (picture.src && !pictures.has(new URL(picture.src).protocol)) say(picture, "picture");
  }
  for (const frame of document.querySelectorAll("iframe")) {
    if (!frames.some(start => frame.src.startsWith(start)) || !frame.sandbox.length) say(frame, "frame");
  }
  for (const form of document.forms) {
    if (new URL(form.getAttribute("action") || "", location).origin !== location.origin) say(form, "form");
  }
  for (const link of document.querySelectorAll("link[href]")) {
    const at = new URL(link.href);
    if (link.relList.contains("stylesheet") && at.origin !== location.origin) say(link, "style sheet");
  }
  const looks = /^(anchor|footnotes|hl-[a-z]+|task-list-item|markdown-alert(-title| markdown-alert-[a-z]+))$/;
  for (const element of document.querySelectorAll(".prose [class], .prose [name], .prose [id^='site:']")) {
    const isOfBodies = looks.test(element.className) && !element.id.startsWith("site:");
    if (!isOfBodies || element.hasAttribute("name")) say(element, "a name or look of the page");
  }
  if (readable && !document.querySelector("main").innerText.includes(readable)) complaints.push("hides its body");
  if (!document.querySelector(".site-footer")?.checkVisibility()) complaints.push("hides the rest of the page");
  if (typeof document.cookie !== "string" || typeof document.getElementById !== "function"
      || !(document.body instanceof HTMLBodyElement) || typeof window.alert !== "function") complaints.push("clobbered");
  if (document.characterSet !== "UTF-8") complaints.push(document.characterSet);
  return complaints;
}
