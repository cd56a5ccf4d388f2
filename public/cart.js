/**
 * Progressive enhancement of the cart: sends its form with `fetch` and replaces the changed parts of the page. One request
 * runs at a time, so that the server stores the quantities in the order in which the customer typed them.
 */
/** Without `forms.js`, which may fail to load, a change comes at once. */
const whenStill = window.whenStill ?? ((change) => change());

const TIMEOUT_MS = 10_000;
/** Debounce of quantity changes, because a stepper is clicked several times in a row. */
const DEBOUNCE_MS = 400;
const LINK = '.cart-link';

const liveRegion = document.createElement('p');
liveRegion.className = 'hidden';
liveRegion.setAttribute('role', 'status');
document.body.append(liveRegion);

/** Ids of the fields that the customer edited after their last send. */
const unsent = new Set();
let queue = Promise.resolve(true);
let running = 0;
let timer;

const cartForm = () => document.querySelector('#cart-form');
const isPending = () => unsent.size > 0 || running > 0;

/** The server sets an edited line even if its quantity is the one that the page showed: an earlier request may have changed it. */
function markEdited(field) {
  field.name = field.name.replace(/\[\w+\]$/, '[edited]');
  unsent.add(field.id);
}

/** Sends the form. The request continues after the page was left. */
function post(button) {
  const body = new URLSearchParams(new FormData(cartForm()));
  // A quantity that changes does not send a code that the customer is typing.
  if (!button || button.name.startsWith('quantity[')) body.delete('code');
  if (button?.name) body.set(button.name, button.value);
  clearTimeout(timer);
  unsent.clear();
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const action = button?.getAttribute('formaction') ?? cartForm().action;
  return fetch(action, { method: 'POST', body, keepalive: true, signal });
}

/** Shows the cart of the answer. Fields that were edited meanwhile keep their text, and so does a code that was not sent. */
function show(page) {
  const focused = document.activeElement?.id;
  const edited = [...unsent].map((id) => [id, document.getElementById(id).value]);
  const code = document.getElementById('code')?.value;
  document.querySelector('main').replaceWith(page.querySelector('main'));
  document.querySelector(LINK).replaceWith(page.querySelector(LINK));
  document.title = page.title;
  unsent.clear();
  for (const [id, text] of edited) {
    const field = document.getElementById(id);
    if (!field) continue;
    field.value = text;
    markEdited(field);
  }
  const codeField = document.getElementById('code');
  if (codeField) codeField.value ||= code ?? '';
  (document.getElementById(focused) ?? document.querySelector('main')).focus({ preventScroll: true });
  liveRegion.textContent = document.querySelector('[data-announcement]')?.dataset.announcement ?? '';
  sessionStorage.setItem('cart', document.querySelector(`${LINK} .count`).textContent);
}

/** Returns whether the server stored all quantities. If the request fails, the browser posts the form instead. */
async function sendNow(button) {
  if (!cartForm()) return true;
  try {
    const answer = await post(button);
    if (!answer.ok && ![422, 429].includes(answer.status)) throw new Error('not a cart');
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    await new Promise((resolve) => whenStill(() => resolve(show(page))));
    return answer.ok;
  } catch {
    submit(button?.id);
    return false;
  }
}

function send(button) {
  running += 1;
  queue = queue
    .then(() => sendNow(button))
    .finally(() => {
      running -= 1;
    });
  return queue;
}

let isLeaving = false;

/** Submits the form with the browser, which leaves the page. An answer may have replaced the button. */
function submit(buttonId) {
  isLeaving = true;
  unsent.clear();
  clearTimeout(timer);
  cartForm().requestSubmit(document.getElementById(buttonId));
}

/** Sends what is unsent before the page is left. If a quantity is refused, the page stays and shows it. */
async function leave(go) {
  document.body.setAttribute('aria-busy', 'true');
  const isStored = await (unsent.size > 0 ? send() : queue);
  document.body.removeAttribute('aria-busy');
  if (isStored) go();
  else focusRefused();
}

function focusRefused() {
  document.querySelector('.quantity[aria-invalid="true"]')?.focus();
}

document.addEventListener('submit', (event) => {
  const { target: form, submitter } = event;
  const isCart = form === cartForm();
  if (isLeaving || (!isCart && !isPending())) return;
  const isCheckout = submitter?.name === 'next';
  // With no request in flight, the browser itself posts the form and opens the checkout.
  if (isCheckout && running === 0) {
    unsent.clear();
    clearTimeout(timer);
    return;
  }
  event.preventDefault();
  if (isCheckout) {
    document.body.setAttribute('aria-busy', 'true');
    void queue.then(() => submit(submitter.id));
  } else if (isCart) void send(submitter);
  else void leave(() => form.requestSubmit(submitter));
});

document.addEventListener('click', (event) => {
  const { target } = event;
  const link = target.closest('a[href]');
  const opensHere = !link?.target && event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey;
  if (link && opensHere && isPending() && !link.getAttribute('href').startsWith('#')) {
    event.preventDefault();
    void leave(() => location.assign(link.href));
  }
  const step = Number(target.dataset.step ?? 0);
  if (step === 0) return;
  const input = target.parentElement.querySelector('.quantity');
  const stepped = (Number(input.value) || 0) + step;
  input.value = String(Math.min(Number(input.dataset.max), Math.max(1, stepped)));
  input.dispatchEvent(new Event('input', { bubbles: true }));
  input.dispatchEvent(new Event('change', { bubbles: true }));
});

document.addEventListener('input', ({ target }) => {
  if (!target.matches('.quantity')) return;
  clearTimeout(timer);
  markEdited(target);
});

document.addEventListener('change', ({ target }) => {
  if (!target.matches('.quantity')) return;
  clearTimeout(timer);
  timer = setTimeout(send, DEBOUNCE_MS);
});

// A phone may end a hidden page without another event.
document.addEventListener('visibilitychange', () => {
  if (document.hidden && unsent.size > 0) void send();
});

// No answer arrives here any more. After Back, a stored page with another number of pieces is loaded again.
window.addEventListener('pagehide', () => {
  if (isPending()) sessionStorage.removeItem('cart');
  if (unsent.size > 0) post().catch(() => {});
});

// After Back, the page may come from the bfcache.
window.addEventListener('pageshow', () => {
  isLeaving = false;
  document.body.removeAttribute('aria-busy');
});

focusRefused();
