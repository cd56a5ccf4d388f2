// Optional improvements: every page works without this script.

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
// Shown only if the browser allows clipboard access.
for (const button of navigator.clipboard ? document.querySelectorAll('[data-copy]') : []) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(button.dataset.copy);
    copied.textContent = `${copied.dataset.copied} ${button.dataset.copy}`;
  });
}

// Prevents a second submit. The buttons stay enabled, because a disabled button would not be part of the form
// data.
const progress = document.querySelector('[data-progress]');
let sent = false;
for (const form of document.querySelectorAll('form[data-once]')) {
  form.addEventListener('submit', (event) => {
    if (sent) event.preventDefault();
    sent = true;
    document.body.classList.add('busy');
    progress.textContent = progress.dataset.progress;
  });
}
// The Back button may restore the page from the browser's cache, in its state after the submit.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted && progress) location.reload();
});

// Groups the digits of the card number. Deletions and edits in the middle of the text are not formatted.
const cardNumber = document.getElementById('card_number');
cardNumber?.addEventListener('input', ({ inputType = '' }) => {
  if (inputType.startsWith('delete') || cardNumber.selectionStart < cardNumber.value.length) return;
  cardNumber.value = cardNumber.value.replace(/\D/g, '').replace(/(.{4})(?=.)/g, '$1 ');
});
