// Around textual.js, which holds the terminal: letters of a fitting size, keys for fingers, the
// sheets that were printed, and what to say when it is over.
"use strict";

(() => {
  const COMFORT = { columns: 112, rows: 35, least: 13 }; // the wide, high screens
  const SMALLEST = { columns: 80, rows: 24 };
  const WIDTH = 0.602; // of a letter of Roboto Mono, and its height, in parts of its size
  const HEIGHT = 1.34;
  const FACES = ["400", "bold", "italic"].map((face) => `${face} 16px "Roboto Mono"`);
  const NOWHERE = "\x1b[<35;1;999M"; // the mouse moves to a row below every other
  const LOST = "The connection was lost. Everything that was shown is saved.";

  const byFinger = matchMedia("(pointer: coarse)").matches;
  const begin = window.onload; // textual.js would begin at once, before the letters have come
  let socket = null;
  const STOPS = "Skirmish runs on this computer, in this page. To end it, press q on the home screen or close the tab.";

  let why = LOST; // unless the server says another thing before it hangs up
  let stopped = false; // the server has ended too, so that there is nothing to open again

  class Heard extends WebSocket {
    constructor(...how) {
      super(...how);
      socket = this;
      this.addEventListener("open", () => send("focus"));
      this.addEventListener("close", over);
      this.addEventListener("message", ({ data }) => {
        if (typeof data !== "string") return;
        const [kind, what] = JSON.parse(data);
        if (kind === "sheet") offer(what);
        else if (kind === "over" || kind === "stopped") {
          why = what;
          stopped = kind === "stopped";
        }
      });
    }
  }
  window.WebSocket = Heard;

  window.onload = async () => {
    const table = document.querySelector("#table");
    table.dataset.sessionWebsocketUrl = `ws://${location.host}/ws`;
    await Promise.allSettled(FACES.map((face) => document.fonts.load(face)));
    table.dataset.fontSize = fitting(table.clientWidth, table.clientHeight);
    begin();
    keys();
    fingers(table);
    if (byFinger) letters(false);
    else focus();
    if (document.documentElement.dataset.stopsWith) note(STOPS);
    window.visualViewport?.addEventListener("resize", resized);
    document.querySelector("#again").addEventListener("click", () => location.reload());
    window.addEventListener("focus", () => byFinger || focus());
  };

  function send(...message) {
    if (message[1] === "") return;
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  }

  // The size at which the screens are comfortable; where the letters would be too small for that,
  // the one at which nothing is cut off. A tablet can be turned, and both ways must do.
  function fitting(width, height) {
    const wished = Number(new URLSearchParams(location.search).get("fontsize"));
    if (wished >= 6 && wished <= 72) return wished;
    const size = (w, h, { columns, rows }) =>
      Math.floor(Math.min(w / columns / WIDTH, h / rows / HEIGHT));
    const comfortable = size(width, height, COMFORT);
    const best = comfortable >= COMFORT.least ? comfortable : size(width, height, SMALLEST);
    const turned = byFinger ? size(height, width, SMALLEST) : Infinity;
    return Math.max(6, Math.min(best, turned, 32));
  }

  // An on-screen keyboard takes room from below.
  function resized() {
    const { height, scale } = window.visualViewport;
    if (scale !== 1) return;
    document.body.style.setProperty("--height", `${height}px`);
    window.scrollTo(0, 0);
    window.onresize?.();
  }

  function typing() {
    return document.querySelector(".xterm-helper-textarea");
  }

  function focus() {
    typing()?.focus({ preventScroll: true });
  }

  // For fingers the tablet's own keyboard stays away until it is asked for.
  function letters(wanted) {
    const area = typing();
    if (area === null) return;
    area.blur(); // tablets look at the mode only when the focus comes
    area.inputMode = wanted ? "text" : "none";
    focus(); // for a keyboard that is plugged in
    document.querySelector("#letters").setAttribute("aria-pressed", String(wanted));
  }

  function keys() {
    const bar = document.querySelector("#keys");
    bar.addEventListener("pointerdown", (event) => event.preventDefault()); // keeps the focus
    bar.addEventListener("click", ({ target }) => {
      if (target.id === "letters") letters(target.getAttribute("aria-pressed") !== "true");
      else if (target.dataset.sends) send("stdin", target.dataset.sends);
    });
  }

  // Fingers. Browsers make clicks of taps, but nothing of a swipe: here it turns the wheel. And a
  // finger leaves no pointer behind, so that the terminal would go on pointing at what was touched,
  // with its tooltip over what is to be read.
  function fingers(table) {
    let from = null; // where the swipe has been told of, in pixels from above
    const high = table.dataset.fontSize * HEIGHT;
    const wide = table.dataset.fontSize * WIDTH;
    table.addEventListener("pointerdown", ({ pointerType, clientY }) => {
      from = pointerType === "touch" ? clientY : null;
    }, true);
    table.addEventListener("pointermove", ({ clientX, clientY }) => {
      if (from === null) return;
      const rows = Math.trunc((from - clientY) / high);
      from -= rows * high;
      const at = `${Math.ceil(clientX / wide)};${Math.ceil(clientY / high)}M`;
      send("stdin", `\x1b[<${rows > 0 ? 65 : 64};${at}`.repeat(Math.abs(rows)));
    }, true);
    table.addEventListener("click", () => from === null || send("stdin", NOWHERE));
  }

  function offer({ name, address }) {
    const link = (text, more) => {
      const made = document.createElement("a");
      Object.assign(made, { textContent: text, ...more });
      return made;
    };
    note(
      name,
      link("Open", { href: address, target: "_blank", rel: "noopener" }),
      link("Save", { href: `${address}?save`, download: name }),
    );
  }

  function note(...content) {
    const line = document.createElement("p");
    const close = document.createElement("button");
    close.textContent = "Close";
    close.addEventListener("click", () => {
      line.remove();
      if (!byFinger) focus();
    });
    line.append(...content, close);
    const all = document.querySelector("#sheets");
    all.append(line);
    while (all.children.length > 3) all.firstChild.remove();
  }

  function over() {
    document.querySelector("#why").textContent = why;
    document.querySelector("#over").hidden = false;
    document.querySelector("#again").hidden = stopped;
    document.querySelector("#again").focus();
  }
})();
