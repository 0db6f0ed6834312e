// Keeps the page for a television up to date, and comes back by itself after a sleep or a lost network.
// Nothing can be pressed here.
"use strict";

(() => {
  const PING = 10_000;
  const PATIENCE = 3_000; // milliseconds without any answer: the line is dead
  const SOONEST = 200;
  const LATEST = 5_000;
  const wall = document.querySelector("#wall");
  const away = document.querySelector("#away");
  let socket = null;
  let again = SOONEST; // before the next attempt
  let retry = 0;
  let answer = 0; // the timer of what was sent last

  function connect() {
    clearTimeout(retry);
    socket = new WebSocket(`${location.origin.replace("http", "ws")}/side/live`);
    socket.onopen = () => send({ press: "" });
    socket.onmessage = ({ data }) => heard(JSON.parse(data));
    socket.onclose = lost;
    expect();
  }

  function send(what) {
    if (socket.readyState !== WebSocket.OPEN) return;
    socket.send(JSON.stringify(what));
    expect();
  }

  function expect() {
    clearTimeout(answer);
    answer = setTimeout(() => {
      leave(); // a dead line may take minutes to close
      lost();
    }, PATIENCE);
  }

  function leave() {
    socket.onclose = socket.onmessage = null;
    socket.close();
  }

  function heard(what) {
    clearTimeout(answer);
    if (what.over) return end(what.over);
    again = SOONEST;
    away.hidden = true;
    if (what.html !== undefined) show(what.html);
  }

  function lost() {
    clearTimeout(answer);
    away.hidden = false;
    retry = setTimeout(connect, again);
    again = Math.min(again * 2, LATEST);
  }

  function end(sentence) {
    leave();
    clearInterval(pings);
    away.textContent = sentence;
    away.hidden = false;
  }

  function ping() {
    if (socket.readyState === WebSocket.CONNECTING) return;
    if (socket.readyState !== WebSocket.OPEN) connect();
    else send({ ping: 1 });
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
  }

  const pings = setInterval(ping, PING);
  for (const name of ["pageshow", "online"]) addEventListener(name, () => socket && ping());
  document.addEventListener("visibilitychange", ping);
  connect();
  wall.dataset.ready = "";
})();
