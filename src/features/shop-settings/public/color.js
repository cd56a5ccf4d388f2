/** Progressive enhancement of a color: the text of the field and the browser's own picker show the same color. */
for (const picker of document.querySelectorAll('[data-color-of]')) {
  const text = document.getElementById(picker.dataset.colorOf);
  picker.addEventListener('input', () => {
    text.value = picker.value;
  });
  text.addEventListener('input', () => {
    if (/^#[\da-f]{6}$/i.test(text.value)) picker.value = text.value.toLowerCase();
  });
}
