// What a thumb and an eye meet on the page: every piece of text with its size and contrast, every
// target with its size, targets that overlap, by how many pixels the page is too wide, what is wider
// than the room that it has, and words of tables that are broken.
(() => {
  const rgba = (text) => {
    const [r, g, b, a = 1] = text.match(/[\d.]+/g).map(Number);
    return [r, g, b, a];
  };
  const over = ([r, g, b, a], [x, y, z]) => [r * a + x * (1 - a), g * a + y * (1 - a), b * a + z * (1 - a), 1];
  const light = (colour) => {
    const [r, g, b] = colour.slice(0, 3).map((one) => {
      const part = one / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (element) => {
    const colours = [];
    for (let one = element; one; one = one.parentElement) {
      colours.push(rgba(getComputedStyle(one).backgroundColor));
    }
    return colours.reverse().reduce((below, colour) => over(colour, below), [255, 255, 255, 1]);
  };
  for (const one of document.querySelectorAll("details")) one.open = true;
  const seen = (element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    !element.closest(".spoken");
  const letters = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    const text = texts.currentNode.textContent.trim();
    if (!text || !seen(element) || element.closest("noscript")) continue;
    const style = getComputedStyle(element);
    const below = ground(element);
    const [one, other] = [light(over(rgba(style.color), below)), light(below)].sort((a, b) => b - a);
    letters.push({ text, size: parseFloat(style.fontSize), contrast: (one + 0.05) / (other + 0.05) });
  }
  const elements = [...document.querySelectorAll("button, input, summary, a[href]")].filter(seen);
  const boxes = elements.map((element) => element.getBoundingClientRect());
  const name = (at) => elements[at].textContent.trim() || elements[at].tagName;
  const overlapping = boxes.flatMap((one, at) =>
    boxes.slice(at + 1).flatMap((other, more) =>
      one.left < other.right && other.left < one.right && one.top < other.bottom &&
      other.top < one.bottom && elements[at].parentElement === elements[at + 1 + more].parentElement
        ? [[name(at), name(at + 1 + more)]]
        : [],
    ),
  );
  const cut = [...document.querySelectorAll("main *")]
    .filter(seen)
    .filter((one) => getComputedStyle(one).display !== "inline" && one.clientWidth > 0)
    .filter((one) => one.scrollWidth > one.clientWidth + 1)
    .map((one) => `${one.tagName} ${one.className}: ${one.textContent.trim().slice(0, 40)}`);
  // Words in tables that go over the edge of their cell into the next line, as in "Machi-negun".
  const broken = [];
  for (const cell of [...document.querySelectorAll("td")].filter(seen)) {
    const words = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    while (words.nextNode()) {
      for (const word of words.currentNode.textContent.matchAll(/[\p{L}\p{N},.]+/gu)) {
        const range = document.createRange();
        range.setStart(words.currentNode, word.index);
        range.setEnd(words.currentNode, word.index + word[0].length);
        if (range.getClientRects().length > 1) broken.push(word[0]);
      }
    }
  }
  // What lies over the letters of the head: the button of the signal, if it finds no room.
  const signal = document.querySelector("#signal");
  const covered = [];
  if (signal) {
    signal.hidden = false;
    const over = signal.getBoundingClientRect();
    for (const part of document.querySelectorAll("#head *")) {
      const range = document.createRange();
      range.selectNodeContents(part);
      for (const { left, right, top, bottom } of range.getClientRects()) {
        const apart = right <= over.left || left >= over.right || bottom <= over.top || top >= over.bottom;
        if (!apart) covered.push(part.textContent);
      }
    }
  }
  return {
    broken,
    covered,
    cut,
    letters,
    targets: boxes.map(({ width, height }, at) => ({ text: name(at), size: [width, height] })),
    overlapping,
    sideways: document.documentElement.scrollWidth - innerWidth,
  };
})()
