// Keeps the page of a side up to date: sends a tap and shows what the table answers. ``live.js`` is its
// line to the table.
"use strict";

(() => {
  const UNSEEN = 350; // a tap this soon after a change was meant for what stood there before
  const side = document.querySelector("#side");
  const line = document.querySelector("#line");
  const lost = line.textContent;
  let unseen = 0; // the timer after somebody else changed the buttons
  let answering = false; // whether the next state is the answer to a tap
  let ahead = []; // what was tapped meanwhile
  let last = null; // the button tapped last
  let now = { at: Number(side.dataset.at), keys: JSON.parse(side.dataset.keys) };
  now = JSON.parse(sessionStorage.getItem("now")) ?? now; // a reload goes on where it was
  const shown = new Map(); // what each part showed last, without what the reader opened in it

  // ``busy``: from a tap to the next state, and without a connection. ``fresh``: for a moment after the
  // buttons became others; no tap counts then.
  const is = (name) => document.body.classList.contains(name);
  const set = (name, on) => document.body.classList.toggle(name, on);

  // ------------------------------------------------------------ what the table sends

  function heard(what) {
    if (what.wait) {
      ahead = [];
      say(what.wait);
      set("busy", false);
      setTimeout(() => is("busy") || say(""), 1000);
    }
    if (what.html === undefined) return;
    say("");
    now = { at: what.at, keys: what.keys };
    sessionStorage.setItem("now", JSON.stringify(now));
    Object.assign(side.dataset, { at: now.at, keys: JSON.stringify(now.keys) });
    show(what.html, is("busy"));
    set("busy", false);
    answering = false;
    next();
  }

  function away() {
    set("busy", true);
    answering = false;
    ahead = [];
    say(lost);
  }

  function say(sentence) {
    line.textContent = sentence || lost;
    line.hidden = !sentence;
    set("away", sentence === lost);
  }

  function end(sentence) {
    line.hidden = true;
    side.className = "ended";
    side.replaceChildren(Object.assign(document.createElement("p"), { textContent: sentence }));
  }

  // ------------------------------------------------------------ what is shown

  // Only the parts that differ are replaced: what is being read or tapped stays where it is.
  function show(html, mine) {
    const sent = new DOMParser().parseFromString(`<main>${html}</main>`, "text/html");
    const focused = document.activeElement?.dataset?.press;
    for (const part of sent.querySelectorAll("[id]")) {
      const here = document.getElementById(part.id);
      if (part.querySelector("[id]") || shown.get(part.id) === part.innerHTML) continue;
      shown.set(part.id, part.innerHTML);
      const open = [...here.querySelectorAll("details[open]")].map((one) => one.dataset.name);
      here.innerHTML = part.innerHTML;
      for (const one of here.querySelectorAll("details")) one.open = open.includes(one.dataset.name);
      if (part.id === "verdict") document.querySelector("#table").scrollTop = 0;
      if (part.id === "question") {
        document.querySelector("#choices").scrollTop = 0;
        if (!mine && here.querySelector("[data-asked]")) ring();
      }
      if (!mine && here.querySelector("button")) set("fresh", true);
    }
    clearTimeout(unseen);
    unseen = setTimeout(() => set("fresh", false), UNSEEN);
    if (focused === undefined || document.activeElement !== document.body) return;
    const same = side.querySelector(`[data-press="${CSS.escape(focused)}"]:not(:disabled)`);
    (same ?? document.querySelector("#question")).focus({ preventScroll: true });
  }

  // ------------------------------------------------------------ sound and vibration

  // Browsers allow either only after a tap: the button is that tap, and is remembered on this phone.
  const signal = document.querySelector("#signal");
  const Sound = window.AudioContext ?? window.webkitAudioContext;
  let sound = null;

  function ring() {
    if (localStorage.getItem("signal") !== "on") return;
    navigator.vibrate?.([120, 80, 120]);
    if (sound?.state !== "running") return;
    const tone = sound.createOscillator();
    const loud = sound.createGain();
    tone.frequency.value = 660;
    loud.gain.setValueAtTime(0.2, sound.currentTime);
    loud.gain.exponentialRampToValueAtTime(0.001, sound.currentTime + 0.4);
    tone.connect(loud).connect(sound.destination);
    tone.start();
    tone.stop(sound.currentTime + 0.4);
  }

  function allowed() {
    if (Sound && localStorage.getItem("signal") === "on") (sound ??= new Sound()).resume();
  }

  function showSignal() {
    const on = localStorage.getItem("signal") === "on";
    signal.setAttribute("aria-pressed", on);
    signal.textContent = `Ring when asked: ${on ? "on" : "off"}`;
    signal.hidden = !(Sound || navigator.vibrate);
  }

  signal.addEventListener("click", () => {
    localStorage.setItem("signal", localStorage.getItem("signal") === "on" ? "off" : "on");
    showSignal();
    allowed();
    setTimeout(ring, 100); // so that it is heard what was allowed
  });
  addEventListener("pointerdown", allowed); // after a reload the first tap allows it again
  showSignal();

  function press(what) {
    if (is("busy") || is("fresh")) return;
    set("busy", true);
    answering = true;
    send({ ...now, press: what });
  }

  // A tap ahead counts if it still means what it meant: no order was carried out since, and its button
  // was not replaced. So the second digit of a number is not lost, and nobody fires twice.
  function next() {
    const tap = ahead.shift();
    const stands = tap?.at === now.at && tap.button.isConnected && !tap.button.disabled;
    if (stands && !is("fresh")) press(tap.button.dataset.press);
    else ahead = [];
  }

  side.addEventListener("click", ({ target }) => {
    const button = target.closest("button[data-press]");
    if (!button || (answering && button === last)) return; // a thumb trembles
    last = button;
    if (answering) ahead.push({ button, at: now.at });
    else press(button.dataset.press);
  });
  side.addEventListener("submit", (event) => {
    event.preventDefault();
    press(`${event.target.querySelector("input").value}\n`);
  });
  for (const part of side.querySelectorAll("[id]")) shown.set(part.id, part.innerHTML);
  for (const one of side.querySelectorAll("details")) one.open = innerWidth >= 700; // there is room
  set("busy", true);
  const send = liveLine({
    greeting: () => ({ ...now, press: "" }),
    heard,
    lost: away,
    over: end,
    asleep: () => document.hidden,
    awaited: () => is("busy"),
  });
})();
