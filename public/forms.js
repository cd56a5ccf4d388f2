/** Small comforts for forms; every page works without them. The server is what guards against double posts. */
const LATEST_MS = 20_000;

function release(button) {
  button.disabled = false;
  if (button.dataset.label) button.textContent = button.dataset.label;
}

function hold(button) {
  button.dataset.held = '';
  button.disabled = true;
  if (button.dataset.busy) {
    button.dataset.label = button.textContent;
    button.textContent = button.dataset.busy;
  }
  setTimeout(release, LATEST_MS, button);
}

// After the event, so that the pressed button's own name and value are still sent.
document.addEventListener('submit', (event) => {
  const form = event.target;
  if (form.method !== 'post') return;
  setTimeout(() => {
    if (event.defaultPrevented) return;
    for (const button of form.querySelectorAll('button[type="submit"]:not(:disabled)')) hold(button);
  }, 0);
});

// The Back button may bring a page back as it was left.
window.addEventListener('pageshow', () => {
  for (const button of document.querySelectorAll('[data-held]')) release(button);
});

for (const button of document.querySelectorAll('[data-print]')) {
  button.hidden = false;
  button.addEventListener('click', () => window.print());
}

document.querySelector('#errors')?.focus();
