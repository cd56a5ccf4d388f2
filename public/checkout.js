/**
 * Progressive enhancement of the checkout forms: shows the total and the fields of the shipping option, fills in the state, and
 * asks for the prices of an address.
 */
const form = document.querySelector('#checkout-form');
const address = form.querySelector('[data-address]');

/** Without `forms.js`, which may fail to load, a change comes at once. */
const whenStill = window.whenStill ?? ((change) => change());

const chosenOption = () => form.querySelector('[name="shipping_option"]:checked');

/** Shows the fields and the amounts of the chosen option. Each amount of the page that may change is written here only. */
function showChosenOption() {
  const option = chosenOption();
  if (!option) return;
  const { seen, total, price, tax, discount, missing, needsAddress } = option.dataset;
  if (address) address.hidden = needsAddress === undefined;
  form.elements.namedItem('seen').value = seen;
  for (const shown of document.querySelectorAll('[data-fee="shipping"]')) shown.textContent = price;
  for (const shown of document.querySelectorAll('[data-shown-total]')) shown.textContent = total;
  for (const [name, amount] of Object.entries({ discount, tax }))
    for (const shown of document.querySelectorAll(`[data-shown-${name}]`)) {
      shown.hidden = amount === '';
      shown.querySelector('.amount').textContent = amount;
    }
  for (const pay of form.querySelectorAll('[data-pay]'))
    pay.textContent = missing || pay.dataset.pay.replace('%s', () => total);
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

// Prices that depend on the address

const choices = form.querySelector('[data-quotes]');
const [state, code] = ['state', 'postal_code'].map((name) => form.elements.namedItem(name));
/** The cart of this page without a known total. The options have it in the markup, which no browser restores. */
const seenCart = `${choices?.querySelector('[data-seen]').dataset.seen.split('.')[0]}.`;
let request;
let asked = '';
let answered = Promise.resolve();

/** `option`: without one, the shop does not deliver to the address. */
function showQuote(radio, option) {
  const { textNotDelivered: missing } = choices.dataset;
  const shown = option ?? { seen: seenCart, totalText: '', price: '', missing };
  const { seen, totalText, price, tax = '', discount, hint } = shown;
  Object.assign(radio.dataset, { seen, total: totalText, price, tax, discount: discount?.amount ?? '' });
  radio.dataset.missing = shown.missing ?? '';
  radio.labels[0].querySelector('.amount').textContent = price;
  if (hint) document.querySelector(`#${radio.id}-hint`).textContent = hint;
}

/** `options`: without an option the shop does not deliver to the address, and `notDelivered` says so. */
function showOptions(options, notDelivered = '') {
  for (const radio of form.querySelectorAll('[name="shipping_option"]'))
    showQuote(
      radio,
      options.find(({ id }) => id === radio.value),
    );
  choices.querySelector('[role="status"]').textContent = notDelivered;
  showChosenOption();
}

/** The button says what is missing. Until the next quote the form charges nothing with these options. */
function showMissing(missing, options = '[data-needs-address]') {
  for (const { dataset } of choices.querySelectorAll(options)) Object.assign(dataset, { seen: seenCart, missing });
  whenStill(showChosenOption);
}

/** Shows what the typed address costs. Asks once for each address. */
function askForQuotes() {
  const query = String(new URLSearchParams({ state: state.value, postal_code: postalCodeIn(code), seen: seenCart }));
  if (query !== asked) answered = showQuotes(query);
  return answered;
}

/** A quote for another cart than that of this page is not shown. */
async function showQuotes(query) {
  asked = query;
  request?.abort();
  request = new AbortController();
  const { signal } = request;
  const { quotes, textCalculating, textChanges, textTotal } = choices.dataset;
  showMissing(textCalculating);
  try {
    const answer = await fetch(`${quotes}?${query}`, { signal });
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    const { options, notDelivered, isCartChanged } = await answer.json();
    if (isCartChanged) return showMissing(textChanges, '[data-seen]');
    const show = () => signal.aborted || showOptions(options, notDelivered);
    await new Promise((resolve) => whenStill(() => resolve(show())));
  } catch {
    // A newer request shows its own answer.
    if (signal.aborted) return;
    asked = '';
    showMissing(textTotal);
  }
}

/** Shows the page again, with the present cart and total and what was typed. */
function sendForTotal() {
  form.append(Object.assign(document.createElement('input'), { type: 'hidden', name: 'update_total', value: '1' }));
  form.submit();
}

/** Shows the total, or why there is none, before the customer can pay it. */
async function showTotalFirst() {
  await askForQuotes();
  const { missing } = chosenOption().dataset;
  const { textNotDelivered, textChanges, textTotal } = choices.dataset;
  if (missing === textNotDelivered) choices.focus();
  if (missing === textChanges || missing === textTotal) sendForTotal();
}

// Before the listener of the card. Without a state the form is not complete, and its errors are shown.
form.addEventListener('submit', (event) => {
  const isUpdate = event.submitter?.name === 'update_total';
  if (isUpdate || !choices || !chosenOption()?.dataset.missing || state.value === '') return;
  event.preventDefault();
  event.stopImmediatePropagation();
  void showTotalFirst();
});
form.addEventListener('input', (event) => {
  fillState(event);
  if (choices && event.target === code && postalCodeIn(code) !== '') void askForQuotes();
});
form.addEventListener('change', ({ target }) => {
  if (target.name === 'shipping_option') showChosenOption();
  if (choices && [state, code].includes(target)) void askForQuotes();
});
// Also after Back or a reload, when the browser restores the chosen option and the address.
window.addEventListener('pageshow', () => {
  showChosenOption();
  const isRestored = choices && (code.value !== code.defaultValue || !state.selectedOptions[0].defaultSelected);
  if (isRestored && state.value !== '') void askForQuotes();
});
showChosenOption();
