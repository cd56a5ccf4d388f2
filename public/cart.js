/** Progressive enhancement of the cart: sends its forms with `fetch` and replaces the changed parts of the page. */
const TIMEOUT_MS = 10_000;
/** Debounce of quantity changes, because a stepper is clicked several times in a row. */
const DEBOUNCE_MS = 400;
const COUNT = '.cart-link';

const liveRegion = document.createElement('p');
liveRegion.className = 'hidden';
liveRegion.setAttribute('role', 'status');
document.body.append(liveRegion);

let queue = Promise.resolve();
let waiting = 0;
let timer;

async function send({ action, fields }) {
  const answer = await fetch(action, {
    method: 'POST',
    body: new URLSearchParams(fields),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!answer.ok && answer.status !== 422) throw new Error('not a cart');
  return new DOMParser().parseFromString(await answer.text(), 'text/html');
}

/** Returns the focused field if its value was not sent. Replacing the page would lose the value. */
function unsentInput(sent) {
  const { activeElement: field } = document;
  if (!(field instanceof HTMLInputElement) || field.value === field.defaultValue) return undefined;
  const isSent = field.id === sent.field && field.value === sent.value;
  return isSent ? undefined : { id: field.id, value: field.value };
}

function show(page, sent) {
  const focused = document.activeElement?.id;
  const unsent = unsentInput(sent);
  document.querySelector('main').replaceWith(page.querySelector('main'));
  document.querySelector(COUNT).replaceWith(page.querySelector(COUNT));
  document.title = page.title;
  const field = unsent && document.getElementById(unsent.id);
  if (field) field.value = unsent.value;
  (document.getElementById(focused) ?? document.querySelector('main')).focus({ preventScroll: true });
  liveRegion.textContent = document.querySelector('[data-announcement]')?.dataset.announcement ?? '';
}

async function change(form, sent) {
  try {
    const page = await send(sent);
    // Only the last response is shown, so that the page never shows an older state.
    if (waiting === 1) show(page, sent);
  } catch {
    if (form.isConnected) form.submit();
    else location.reload();
  } finally {
    waiting -= 1;
  }
}

document.addEventListener('submit', (event) => {
  const form = event.target;
  if (!form.matches('.cart-change form')) return;
  event.preventDefault();
  clearTimeout(timer);
  const input = form.querySelector('input');
  const sent = {
    action: form.action,
    fields: [...new FormData(form)],
    field: input?.id,
    value: input?.value,
  };
  waiting += 1;
  queue = queue.then(() => change(form, sent));
});

document.addEventListener('click', ({ target }) => {
  const step = Number(target.dataset?.step ?? 0);
  if (step === 0) return;
  const input = target.form.querySelector('.quantity');
  const { min, max } = input;
  input.value = String(Math.min(Number(max), Math.max(Number(min), (Number(input.value) || 0) + step)));
  input.dispatchEvent(new Event('change', { bubbles: true }));
});

document.addEventListener('change', ({ target }) => {
  if (!target.matches('.cart-change .quantity')) return;
  clearTimeout(timer);
  // A response may replace the form meanwhile.
  timer = setTimeout(() => document.getElementById(target.id)?.form.requestSubmit(), DEBOUNCE_MS);
});
