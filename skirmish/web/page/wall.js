// Keeps the page for a television up to date; ``live.js`` is its line to the table. Nothing can be pressed
// here.
"use strict";

(() => {
  const LARGEST = 46; // a letter of a board, in parts of --u, and the least that is still shown
  const LEAST = 20;

  const wall = document.querySelector("#wall");
  const away = document.querySelector("#away");

  function heard(message) {
    away.hidden = true;
    if (message.html !== undefined) show(message.html);
  }

  function end(sentence) {
    away.textContent = sentence;
    away.hidden = false;
  }

  // Only the parts that differ are replaced: the map is not loaded again, and the card turns only when it
  // is another one.
  function show(html) {
    const sent = new DOMParser().parseFromString(`<main>${html}</main>`, "text/html");
    for (const part of sent.querySelectorAll("main > [id]")) {
      const here = document.getElementById(part.id);
      if (here === null) return location.reload(); // it is another game
      const changed = document.createElement("div");
      changed.innerHTML = part.innerHTML;
      if (changed.innerHTML !== here.innerHTML) here.innerHTML = part.innerHTML;
    }
    fit();
  }

  // A board of lists has the largest letters at which all of it is seen.
  function fit() {
    if (!wall.classList.contains("lists")) return;
    const map = document.querySelector("#map");
    const overflows = () =>
      map.scrollWidth > map.clientWidth + 1 || map.scrollHeight > map.clientHeight + 1;
    for (let size = LARGEST; size >= LEAST; size -= 1) {
      map.style.setProperty("--fit", size);
      if (!overflows()) return;
    }
  }

  liveLine({
    greeting: () => ({ press: "" }),
    heard,
    lost: () => (away.hidden = false),
    over: end,
  });
  window.addEventListener("resize", fit);
  document.fonts.ready.then(fit);
  fit();
  wall.dataset.ready = "";
})();
