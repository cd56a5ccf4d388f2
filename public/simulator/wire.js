// Shows each exchange as it happens; without this file the page shows those that there were.

const wire = document.querySelector('[data-events]');
const list = wire.querySelector('ol');
const pattern = wire.querySelector('template').content.firstElementChild;
const [pause, clear] = wire.querySelectorAll('[data-pause], [data-clear]');
const mostRows = 500;
/** Rows that came while paused, the latest news of each. */
const waiting = new Map();
let paused = false;
let countIsDue = false;

function fill(item, { id, kind, tone, texts }) {
  Object.assign(item.dataset, { id, kind, tone });
  for (const place of item.querySelectorAll('[data-place]')) {
    const text = texts[place.dataset.place];
    if (place.textContent !== text) place.textContent = text;
    const box = place.matches('pre') ? place.parentElement : place;
    box.hidden = text === '';
  }
}

function show(row) {
  const old = list.querySelector(`[data-id="${Number(row.id)}"]`);
  if (old) {
    fill(old, row);
    return;
  }
  // Who reads the end of the list goes on reading it; who reads elsewhere is left there.
  const atEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 100;
  const item = pattern.cloneNode(true);
  fill(item, row);
  // What began earlier may have ended later, and is told last.
  let before = list.lastElementChild;
  while (before && Number(before.dataset.id) > row.id) before = before.previousElementSibling;
  if (before) before.after(item);
  else list.prepend(item);
  if (list.children.length > mostRows) list.firstElementChild.remove();
  if (atEnd && list.children.length > 1) scrollTo({ top: document.documentElement.scrollHeight });
}

/** Told once in a while: a screen reader should not read every row. */
function count() {
  wire.querySelector('[data-nothing]').hidden = list.children.length > 0;
  if (countIsDue) return;
  countIsDue = true;
  setTimeout(() => {
    countIsDue = false;
    wire.querySelector('[data-count]').textContent = String(list.children.length);
  }, 1500);
}

function receive(row) {
  if (paused) {
    waiting.set(row.id, row);
    if (waiting.size > mostRows) waiting.delete(waiting.keys().next().value);
  } else {
    show(row);
    count();
  }
}

function empty() {
  list.replaceChildren();
  waiting.clear();
  count();
}

function say(state) {
  for (const badge of wire.querySelectorAll('[data-when]')) badge.hidden = badge.dataset.when !== state;
}

const events = new EventSource(wire.dataset.events);
const state = () => {
  if (events.readyState !== EventSource.OPEN) return 'lost';
  return paused ? 'paused' : 'live';
};
events.addEventListener('open', () => say(state()));
events.addEventListener('error', () => say(state()));
events.addEventListener('message', ({ data }) => receive(JSON.parse(data)));
events.addEventListener('forget', empty);

pause.addEventListener('click', () => {
  paused = !paused;
  for (const word of pause.querySelectorAll('[data-pause-word]')) word.hidden = !word.hidden;
  say(state());
  if (paused) return;
  for (const row of waiting.values()) show(row);
  waiting.clear();
  count();
});
clear.addEventListener('click', empty);

wire.querySelector('[data-without-script]').hidden = true;
wire.querySelector('[data-controls]').hidden = false;
