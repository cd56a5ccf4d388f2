/** Progressive enhancement of the checkout forms: shows the total and the fields of the shipping option, and fills in the state. */
const form = document.querySelector('#checkout-form');
const address = form.querySelector('[data-address]');

function showChosenOption() {
  const option = form.querySelector('[name="shipping_option"]:checked');
  if (!option) return;
  if (address) address.hidden = option.dataset.needsAddress === undefined;
  form.elements.namedItem('seen_total').value = option.dataset.seenTotal;
  for (const price of document.querySelectorAll('[data-fee="shipping"]')) price.textContent = option.dataset.price;
  for (const total of document.querySelectorAll('[data-shown-total]')) total.textContent = option.dataset.total;
  for (const tax of document.querySelectorAll('[data-shown-tax]')) {
    tax.hidden = option.dataset.tax === '';
    tax.querySelector('.amount').textContent = option.dataset.tax;
  }
}

/** Fills in the state of the postal code, by its first two digits, and the municipality if they determine it. */
function fillState({ target }) {
  // The server removes what was pasted around the digits.
  const code = target.value.replace(/[\s\p{Default_Ignorable_Code_Point}]/gu, '');
  if (target.name !== 'postal_code' || !/^\d{5}$/.test(code)) return;
  const area = Number(code.slice(0, 2));
  const state = form.elements.namedItem('state');
  const found = [...state.options].find(({ dataset }) => {
    const [first, last] = (dataset.postal ?? '').split(' ').map(Number);
    return first <= area && area <= last;
  });
  if (!found) return;
  state.value = found.value;
  const municipality = form.elements.namedItem('municipality');
  if (municipality.value !== '' && municipality.value !== municipality.dataset.filled) return;
  municipality.value = found.dataset.municipalities?.split('|')[area - 1] ?? '';
  municipality.dataset.filled = municipality.value;
}

form.addEventListener('input', fillState);
form.addEventListener('change', ({ target }) => {
  if (target.name === 'shipping_option') showChosenOption();
});
// Also after Back or a reload, when the browser restores the chosen option.
window.addEventListener('pageshow', showChosenOption);
showChosenOption();
