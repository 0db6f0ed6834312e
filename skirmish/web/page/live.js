// The line of a page to the table: a WebSocket that comes back by itself after a sleep or a lost network.
// The server holds nothing that a lost connection loses.
"use strict";

// ``greeting()`` is sent as soon as the line is open; ``heard`` gets each message; ``lost`` is called when the
// line is gone, ``over`` with a sentence when it is closed for good. No ping is sent while the page is
// ``asleep()``, or while an answer is ``awaited()`` already. Returns what sends a message.
function liveLine({ greeting, heard, lost, over, asleep = () => false, awaited = () => false }) {
  const PING = 10_000;
  const PATIENCE = 3_000; // milliseconds without any answer: the line is dead
  const SOONEST = 200;
  const LATEST = 5_000;
  let socket = null;
  let again = SOONEST; // before the next attempt
  let retry = 0;
  let answer = 0; // the timer of what was sent last

  function connect() {
    clearTimeout(retry);
    socket = new WebSocket(`${location.origin.replace("http", "ws")}/side/live`);
    socket.onopen = () => send(greeting());
    socket.onmessage = ({ data }) => received(JSON.parse(data));
    socket.onclose = dropped;
    expect();
  }

  function send(message) {
    if (socket.readyState !== WebSocket.OPEN) return;
    socket.send(JSON.stringify(message));
    expect();
  }

  function expect() {
    clearTimeout(answer);
    answer = setTimeout(() => {
      leave(); // a dead line may take minutes to close
      dropped();
    }, PATIENCE);
  }

  function leave() {
    socket.onclose = socket.onmessage = null;
    socket.close();
  }

  function received(message) {
    clearTimeout(answer);
    if (message.over) {
      leave();
      clearInterval(pings);
      over(message.over);
      return;
    }
    if (message.html !== undefined) again = SOONEST;
    heard(message);
  }

  function dropped() {
    clearTimeout(answer);
    lost();
    retry = setTimeout(connect, again);
    again = Math.min(again * 2, LATEST);
  }

  function ping() {
    if (asleep() || socket.readyState === WebSocket.CONNECTING) return;
    if (socket.readyState !== WebSocket.OPEN) connect();
    else if (!awaited()) send({ ping: 1 }); // otherwise an answer is on its way
  }

  const pings = setInterval(ping, PING);
  connect();
  for (const name of ["pageshow", "online"]) addEventListener(name, ping);
  document.addEventListener("visibilitychange", ping);
  return send;
}
