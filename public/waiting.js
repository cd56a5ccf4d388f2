/** Polls the state of a waiting order and reloads the page after a change. The interval grows to 15 s. */
const MAX_DELAY_MS = 15_000;

const order = document.querySelector('[data-status-path][data-refresh-seconds]');
let timer;
let delayMs = 0;
let nextAt = 0;

async function readState(path) {
  const answer = await fetch(path, {
    headers: { accept: 'application/json' },
    cache: 'no-store',
    signal: AbortSignal.timeout(MAX_DELAY_MS),
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

function schedulePoll() {
  clearTimeout(timer);
  timer = setTimeout(poll, delayMs);
  nextAt = Date.now() + delayMs;
  showNextPoll();
}

function showNextPoll() {
  const element = document.querySelector('[data-next-lookup]');
  const seconds = Math.max(1, Math.round((nextAt - Date.now()) / 1000));
  element.textContent = element.dataset.nextLookup.replace('#', seconds);
}

/** Polls only if the page is visible. A hidden page polls again as soon as it becomes visible. */
async function poll() {
  clearTimeout(timer);
  if (document.hidden) return;
  if (await hasChanged(order.dataset)) {
    location.reload();
    return;
  }
  delayMs = Math.min(delayMs * 1.5, MAX_DELAY_MS);
  schedulePoll();
}

if (order) {
  delayMs = Number(order.dataset.refreshSeconds) * 1000;
  schedulePoll();
  document.addEventListener('visibilitychange', poll);
  setInterval(showNextPoll, 1000);
}
