/**
 * Progressive enhancement of forms with an e-mail address: asks about a typing error in its domain while the customer fills in
 * the form. A form is held once for each such address, and then sent. `src/shop/rules/suggest-email.ts` has the same rules.
 */
/** Without `forms.js`, which may fail to load, a change comes at once. */
const whenStill = window.whenStill ?? ((change) => change());

const question = document.querySelector('[data-email-question]');
const email = question.closest('.field').querySelector('input[type="email"]');
const asked = question.querySelector('[name="email_asked"]');
const suggested = question.querySelector('[data-suggested]');
const change = question.querySelector('button');
const box = change.closest('[data-shown]');
const { domains, emptyDomains, fixes } = JSON.parse(question.dataset.rules);

function isOneEdit(one, other) {
  let start = 0;
  while (start < one.length && one[start] === other[start]) start += 1;
  const [a, b] = [one.slice(start), other.slice(start)];
  const isSwapped = a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2);
  return isSwapped || a.slice(1) === b.slice(1) || a.slice(1) === b || a === b.slice(1);
}

function fixDomain(domain) {
  return fixes.reduce((text, [pattern, replacement]) => text.replace(new RegExp(pattern), replacement), domain);
}

function suggestion(address) {
  const at = address.lastIndexOf('@') + 1;
  const domain = address.slice(at).toLowerCase();
  if (at === 0 || domains.includes(domain)) return undefined;
  const fixed = fixDomain(domain);
  const isKnown = domains.includes(fixed);
  const near = isKnown ? fixed : [...domains, ...emptyDomains].find((each) => isOneEdit(fixed, each));
  const meant = fixDomain(near ?? fixed);
  return meant === domain ? undefined : address.slice(0, at) + meant;
}

const typed = () => email.value.replace(/\p{Default_Ignorable_Code_Point}/gu, '').trim();

/** Returns whether there is a question about the address. */
function showQuestion() {
  const found = suggestion(typed());
  suggested.textContent = found ?? '';
  box.hidden = found === undefined;
  return found !== undefined;
}

email.addEventListener('change', () => whenStill(showQuestion));
change.addEventListener('click', () => {
  email.value = suggested.textContent;
  showQuestion();
  email.focus();
});
// Captured, so that it comes before the script of the card form, which would exchange the card.
document.addEventListener(
  'submit',
  (event) => {
    if (event.target !== email.form || event.submitter?.name === 'update_total') return;
    if (asked.value === typed() || !showQuestion()) return;
    asked.value = typed();
    event.preventDefault();
    event.stopImmediatePropagation();
    change.focus();
  },
  { capture: true },
);
