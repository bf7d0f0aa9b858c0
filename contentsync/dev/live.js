// Keeps an open page up to date with the folder.
(() => {
  const versionOf = (page) => page.querySelector('[src^="/_contentsync/live.js?"]')?.getAttribute("src").split("?")[1];
  let version = versionOf(document), wanted = version; // of the page on the screen, and of the current site

  // Changes a tree into another one without touching equal nodes, so that nothing moves or flashes.
  const morph = (old, next) => {
    if (old.isEqualNode(next)) return;
    if (old.nodeType !== 1 || old.nodeName !== next.nodeName) return old.replaceWith(next);
    for (const { name } of [...old.attributes]) next.hasAttribute(name) || old.removeAttribute(name);
    for (const { name, value } of next.attributes) old.getAttribute(name) === value || old.setAttribute(name, value);
    const had = [...old.childNodes], has = [...next.childNodes];
    let start = 0, left = had.length, right = has.length;
    while (start < Math.min(left, right) && had[start].isEqualNode(has[start])) start++;
    while (Math.min(left, right) > start && had[left - 1].isEqualNode(has[right - 1])) left--, right--;
    const both = Math.min(left, right), end = had[left] ?? null;
    for (let at = start; at < both; at++) morph(had[at], has[at]);
    had.slice(both, left).forEach((node) => node.remove());
    has.slice(both, right).forEach((node) => old.insertBefore(node, end));
  };

  const refresh = async () => {
    if (version === wanted) return;
    const answer = await fetch(location.href, { cache: "no-store" });
    if (answer.redirected) return location.replace(answer.url);
    const next = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (!versionOf(next)) return location.reload();
    version = versionOf(next);
    morph(document.head, next.head);
    morph(document.body, next.body);
  };

  let state, work = Promise.resolve();
  const update = (next) => {
    state = { ...next, page: "" };
    if (document.hidden) return; // wait until the page is visible
    wanted = next.version;
    if (next.page && next.page !== location.pathname + location.search) return location.assign(next.page);
    work = work
      .then(async () => (await import("/_contentsync/overlay.js")).show(next.problems))
      .then(refresh)
      .catch(() => {}); // the server sends another event when it is back
  };
  document.addEventListener("visibilitychange", () => state && update(state));

  // A browser opens six connections to a server for all its pages, so one page listens and informs the others.
  const others = new BroadcastChannel("contentsync");
  others.onmessage = ({ data }) => (data ? update(data) : listening && state && others.postMessage(state));
  others.postMessage(null); // asks for the current state
  let listening = false;
  const listen = () => {
    listening = true;
    const events = new EventSource("/_contentsync/events");
    events.onmessage = ({ data }) => {
      const next = JSON.parse(data);
      others.postMessage(next);
      update(next);
    };
    events.onerror = () => events.readyState === EventSource.CLOSED && setTimeout(listen, 1000);
  };
  navigator.locks.request("contentsync", () => new Promise(listen)); // locked until the page closes
})();
