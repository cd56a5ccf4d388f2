/** Progressive enhancement of the checkout forms: shows the total and the address fields of the chosen shipping option. */
const form = document.querySelector('#checkout-form, #card-form');
const address = form.querySelector('[data-address]');

function showChosenOption() {
  const option = form.querySelector('[name="shipping_option"]:checked');
  if (!option) return;
  if (address) address.hidden = option.dataset.needsAddress === undefined;
  form.elements.namedItem('seen_total').value = option.dataset.seenTotal;
  document.querySelector('[data-charge="shipping"]').textContent = option.dataset.price;
  for (const total of document.querySelectorAll('[data-shown-total]')) total.textContent = option.dataset.total;
  const tax = document.querySelector('[data-shown-tax]');
  if (tax) {
    tax.hidden = option.dataset.tax === '';
    tax.querySelector('.amount').textContent = option.dataset.tax;
  }
  const pay = form.querySelector('#card-pay');
  if (pay && !pay.disabled) pay.textContent = form.dataset.textPay.replace('%s', () => option.dataset.total);
}

form.addEventListener('change', ({ target }) => {
  if (target.name === 'shipping_option') showChosenOption();
});
// Also after Back or a reload, when the browser restores the chosen option.
window.addEventListener('pageshow', showChosenOption);
showChosenOption();
