/** The order page while it waits: asks for the order's state, ever more seldom, and reloads once it has changed. */
const SLOWEST_MS = 15_000;

const order = document.querySelector('[data-status-path][data-refresh-seconds]');
let timer;
let delayMs = 0;
let nextAt = 0;

async function readState(path) {
  const answer = await fetch(path, {
    headers: { accept: 'application/json' },
    cache: 'no-store',
    signal: AbortSignal.timeout(SLOWEST_MS),
  });
  if (!answer.ok) return undefined;
  const { state } = await answer.json();
  return state;
}

async function hasChanged({ statusPath, state }) {
  try {
    const now = await readState(statusPath);
    return now !== undefined && now !== state;
  } catch {
    return false;
  }
}

function askLater() {
  clearTimeout(timer);
  timer = setTimeout(ask, delayMs);
  nextAt = Date.now() + delayMs;
  tellWhen();
}

function tellWhen() {
  const place = document.querySelector('[data-next-look]');
  const seconds = Math.max(1, Math.round((nextAt - Date.now()) / 1000));
  place.textContent = place.dataset.nextLook.replace('#', seconds);
}

/** A page that nobody looks at does not ask; it asks at once when it is looked at again. */
async function ask() {
  clearTimeout(timer);
  if (document.hidden) return;
  if (await hasChanged(order.dataset)) {
    location.reload();
    return;
  }
  delayMs = Math.min(delayMs * 1.5, SLOWEST_MS);
  askLater();
}

if (order) {
  delayMs = Number(order.dataset.refreshSeconds) * 1000;
  askLater();
  document.addEventListener('visibilitychange', ask);
  setInterval(tellWhen, 1000);
}
