/** Progressive enhancement of forms. Disables submit buttons while a form is sent. The server itself prevents double orders. */
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
