/**
 * Progressive enhancement of the checkout forms: shows the total and the fields of the shipping option, fills in the state, and
 * asks for the prices of an address.
 */
const form = document.querySelector('#checkout-form');
const address = form.querySelector('[data-address]');

function showChosenOption() {
  const option = form.querySelector('[name="shipping_option"]:checked');
  if (!option) return;
  if (address) address.hidden = option.dataset.needsAddress === undefined;
  form.elements.namedItem('seen_total').value = option.dataset.seenTotal;
  for (const price of document.querySelectorAll('[data-fee="shipping"]')) price.textContent = option.dataset.price;
  for (const total of document.querySelectorAll('[data-shown-total]')) total.textContent = option.dataset.total;
  for (const discount of document.querySelectorAll('[data-shown-discount]')) {
    discount.hidden = option.dataset.discount === '';
    discount.querySelector('.amount').textContent = option.dataset.discount;
  }
  for (const tax of document.querySelectorAll('[data-shown-tax]')) {
    tax.hidden = option.dataset.tax === '';
    tax.querySelector('.amount').textContent = option.dataset.tax;
  }
}

/** Returns a complete code, or an empty text. The server removes what was pasted around the digits. */
function postalCodeIn(field) {
  const code = field.value.replace(/[\s\p{Default_Ignorable_Code_Point}]/gu, '');
  return /^\d{5}$/.test(code) ? code : '';
}

/** Fills in the state of the postal code, by its first two digits, and the municipality if they determine it. */
function fillState({ target }) {
  const code = postalCodeIn(target);
  if (target.name !== 'postal_code' || code === '') return;
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

const choices = form.querySelector('[data-quotes]');
let request;

/** Without an option, the shop does not deliver to the address. */
function showQuote(radio, option) {
  const { seenTotal = '', totalText = '', price = '', tax = '', discount, hint } = option ?? {};
  Object.assign(radio.dataset, { seenTotal, total: totalText, price, tax, discount: discount?.amount ?? '' });
  radio.labels[0].querySelector('.amount').textContent = price;
  if (hint) document.querySelector(`#${radio.id}-hint`).textContent = hint;
}

/** Shows what an address costs. Without an answer the total is confirmed after the form is sent. */
async function askForQuotes() {
  request?.abort();
  request = new AbortController();
  const [state, code] = ['state', 'postal_code'].map((name) => form.elements.namedItem(name));
  const query = new URLSearchParams({ state: state.value, postal_code: postalCodeIn(code) });
  try {
    const answer = await fetch(`${choices.dataset.quotes}?${query}`, { signal: request.signal });
    if (!answer.ok) return;
    const { options, notDelivered } = await answer.json();
    for (const radio of form.querySelectorAll('[name="shipping_option"]'))
      showQuote(
        radio,
        options.find(({ id }) => id === radio.value),
      );
    choices.querySelector('[role="status"]').textContent = notDelivered ?? '';
    showChosenOption();
  } catch {
    // The network failed, or the address changed.
  }
}

form.addEventListener('input', fillState);
form.addEventListener('change', ({ target }) => {
  if (target.name === 'shipping_option') showChosenOption();
  if (choices && ['state', 'postal_code'].includes(target.name)) void askForQuotes();
});
// Also after Back or a reload, when the browser restores the chosen option.
window.addEventListener('pageshow', showChosenOption);
showChosenOption();
