// Niceties only: every page works without this file.

for (const form of document.querySelectorAll('form[data-submit-now]')) form.submit();

document.querySelector('[data-focus]')?.focus();

const clock = document.querySelector('[data-seconds-left]');
if (clock) {
  const end = Date.now() + Number(clock.dataset.secondsLeft) * 1000;
  const show = () => {
    const left = Math.max(0, Math.round((end - Date.now()) / 1000));
    const parts = [Math.floor(left / 3600), Math.floor(left / 60) % 60, left % 60];
    clock.textContent = parts.map((part) => String(part).padStart(2, '0')).join(':');
    if (left === 0) location.reload();
    else setTimeout(show, 1000);
  };
  show();
}

const copied = document.querySelector('[data-copied]');
// Only where the browser lets a page write to the clipboard.
for (const button of navigator.clipboard ? document.querySelectorAll('[data-copy]') : []) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(button.dataset.copy);
    copied.textContent = `${copied.dataset.copied} ${button.dataset.copy}`;
  });
}
