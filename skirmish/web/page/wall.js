// Keeps the page for a television up to date; ``live.js`` is its line to the table. Nothing can be pressed
// here.
"use strict";

(() => {
  const LARGEST = 46; // a letter of a board, in parts of --u: what is wished for, ...
  const READ = 44; // ... what can be read across the room, ...
  const LEAST = 20; // ... and the least that is still shown
  const WISHED = 34; // a letter of the forces of a battle without a map: what is wished for, ...
  const SMALLEST = 8; // ... and the least, so that none of them is cut off
  const FEWEST_ROWS = 3; // of the lists below the tables, whose pages are turned
  const TURNS = 8000; // milliseconds for which a page of the lists is seen

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

  // A board of lists has the largest letters at which all of it is seen. Where that would be too small
  // for the room, its tables stay in sight, and its lists are seen page by page.
  function fit() {
    if (!wall.classList.contains("lists")) return fitForces();
    const map = document.querySelector("#map");
    const flow = map.querySelector(".flow");
    const overflows = () =>
      map.scrollWidth > map.clientWidth + 1 || map.scrollHeight > map.clientHeight + 1;
    const isCut = () => flow.scrollWidth > flow.clientWidth + 1;
    const letter = () => parseFloat(getComputedStyle(flow).fontSize);
    for (let size = LARGEST; size >= LEAST; size -= 1) {
      map.style.setProperty("--fit", size);
      if (overflows()) continue;
      if (!isCut()) break;
      if (size <= READ && flow.clientHeight > FEWEST_ROWS * 1.3 * letter()) break;
    }
    turnTo(Math.min(pageShown, pagesOf(flow) - 1));
  }

  // The forces of a battle without a map stand where the map would be, in the largest letters at which
  // all of them are seen. A wide table hides what it has no room for, so each is looked at.
  function fitForces() {
    const map = document.querySelector("#map");
    const board = map.querySelector(".board");
    if (board === null) return;
    const isCut = (part) =>
      part.scrollWidth > part.clientWidth + 1 || part.scrollHeight > part.clientHeight + 1;
    for (let size = WISHED; size >= SMALLEST; size -= 1) {
      map.style.setProperty("--fit", size);
      if (![map, ...board.querySelectorAll(".wide")].some(isCut)) break;
    }
  }

  let pageShown = 0;

  // A page is as wide as the lists, with the gap to the next column.
  function widthOfPage(flow) {
    return flow.clientWidth + parseFloat(getComputedStyle(flow).columnGap);
  }

  function pagesOf(flow) {
    return Math.max(1, Math.ceil((flow.scrollWidth - 1) / widthOfPage(flow)));
  }

  function turnTo(page) {
    const map = document.querySelector("#map");
    const flow = map.querySelector(".flow");
    const pages = pagesOf(flow);
    pageShown = page;
    flow.scrollLeft = page * widthOfPage(flow);
    if (pages > 1) map.dataset.page = `${page + 1} of ${pages}`;
    else delete map.dataset.page;
  }

  function turnPage() {
    const flow = document.querySelector("#map .flow");
    if (flow !== null) turnTo((pageShown + 1) % pagesOf(flow));
  }

  liveLine({
    greeting: () => ({ press: "" }),
    heard,
    lost: () => (away.hidden = false),
    over: end,
  });
  window.addEventListener("resize", fit);
  setInterval(turnPage, TURNS);
  document.fonts.ready.then(fit);
  fit();
  wall.dataset.ready = "";
})();
