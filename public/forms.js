/**
 * Progressive enhancement of forms. Disables submit buttons while a form is sent. The server itself prevents double orders.
 * `whenStill` changes a page without taking a press from its element.
 */
const MAX_DISABLED_MS = 20_000;

function enable(button) {
  button.disabled = false;
  if (button.dataset.label) button.textContent = button.dataset.label;
}

function disable(button) {
  button.dataset.disabled = '';
  button.disabled = true;
  if (button.dataset.busy) {
    button.dataset.label = button.textContent;
    button.textContent = button.dataset.busy;
  }
  setTimeout(enable, MAX_DISABLED_MS, button);
}

// Runs after the event. A disabled button would not send its name and value.
document.addEventListener('submit', (event) => {
  const form = event.target;
  if (form.method !== 'post') return;
  setTimeout(() => {
    if (event.defaultPrevented) return;
    for (const button of form.querySelectorAll('button[type="submit"]:not(:disabled)')) disable(button);
  }, 0);
});

// After Back, the page may come from the bfcache with disabled buttons.
window.addEventListener('pageshow', () => {
  for (const button of document.querySelectorAll('[data-disabled]')) enable(button);
});

for (const button of document.querySelectorAll('[data-print]')) {
  button.hidden = false;
  button.addEventListener('click', () => window.print());
}

document.querySelector('#errors')?.focus();

// After Back, the browser may show a stored page, with the number of pieces from before. The tab stores the last number shown.
window.addEventListener('pageshow', ({ persisted }) => {
  const shown = document.querySelector('.cart-link .count')?.textContent;
  if (shown === undefined) return;
  const isBack = persisted || performance.getEntriesByType('navigation')[0]?.type === 'back_forward';
  if (isBack && sessionStorage.getItem('cart') !== shown) location.reload();
  else sessionStorage.setItem('cart', shown);
});

// Changes of a page that the customer did not ask for, such as a question about the field that was left. They wait for the end
// of a press, which is a click only if its element stays under the finger.

/** A tap becomes a click within this time after the finger left the screen. */
const CLICK_MS = 350;
/** Changes wait no longer than this, so that an end that the browser does not report stops no page. */
const MAX_PRESS_MS = 10_000;

/** The element of the press that has not ended. */
let pressed;
let timer;
const waiting = [];

/** What the customer presses or types in stays where it is on the screen, also if the change replaces it. */
function apply(change) {
  const anchor = pressed ?? document.activeElement;
  const boxOf = (element) => element?.getClientRects()[0];
  const before = boxOf(anchor);
  change();
  const after = boxOf(anchor.isConnected ? anchor : document.getElementById(anchor.id));
  if (before && after) scrollBy({ top: after.top - before.top, behavior: 'instant' });
}

function endPress() {
  clearTimeout(timer);
  for (const change of waiting.splice(0)) apply(change);
  pressed = undefined;
}

addEventListener(
  'pointerdown',
  ({ target }) => {
    clearTimeout(timer);
    timer = setTimeout(endPress, MAX_PRESS_MS);
    pressed = target;
  },
  { capture: true },
);
addEventListener(
  'pointerup',
  () => {
    clearTimeout(timer);
    timer = setTimeout(endPress, CLICK_MS);
  },
  { capture: true },
);
// After the handlers of the click.
addEventListener('click', () => setTimeout(endPress), { capture: true });
addEventListener('pointercancel', endPress, { capture: true });

/** For the scripts of a page: changes the page now, or after the press that is under way. */
window.whenStill = (change) => {
  if (pressed) waiting.push(change);
  else apply(change);
};
