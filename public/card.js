/**
 * Card checkout page: validates the card in the browser, exchanges it for tokens at the tokenizer and posts the tokens.
 * The visible card inputs have no name, so that no form post contains card data, even without this script.
 */
const DEADLINE_MS = 15_000;

const number = document.querySelector('#card-number-input');
const { form } = number;
const holder = document.querySelector('#cardholder-input');
const expiry = document.querySelector('#expiry-input');
const cvv = document.querySelector('#cvv-input');
const brand = document.querySelector('#card-brand');
const pay = document.querySelector('#card-pay');
const progress = document.querySelector('#card-progress');
const problem = document.querySelector('#card-problem');
const problemList = document.querySelector('#card-problem-list');
const text = document.querySelector('#card').dataset;
const payLabel = pay.querySelector('[data-pay]');
const busyLabel = document.querySelector('#card-busy');

const digitsOf = (value) => value.normalize('NFKC').replace(/\D/gu, '');
/** Copied texts may have invisible characters, which the server removes. */
const visible = (value) => value.replace(/\p{Default_Ignorable_Code_Point}/gu, '').trim();

// Number

const BRANDS = [
  ['Visa', /^4/],
  ['Mastercard', /^(5[1-5]|2(22[1-9]|2[3-9]|[3-6]|7[01]|720))/],
  ['American Express', /^3[47]/],
  ['Carnet', /^(506(199|2)|6046|6363|6393)/],
];

function brandOf(digits) {
  return BRANDS.find(([, pattern]) => pattern.test(digits))?.[0] ?? '';
}

function grouped(digits) {
  return digits.replace(/(.{4})(?=.)/g, '$1 ');
}

function passesLuhn(digits) {
  let total = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    total += doubled > 9 ? doubled - 9 : doubled;
  }
  return total % 10 === 0;
}

/**
 * Groups the digits while the customer types at the end, and all digits when the customer leaves the field.
 * Deletions and edits in the middle are not formatted, because that would move the caret.
 */
function formatNumber({ type, inputType }) {
  const digits = digitsOf(number.value);
  const isAtEnd = number.selectionStart === number.value.length && !inputType?.startsWith('delete');
  if (type === 'change' || isAtEnd) number.value = grouped(digits);
  const name = brandOf(digits);
  const words = name && text.textBrand.replace('%s', name);
  if (brand.textContent !== words) brand.textContent = words;
}

// Expiry: MM/YY with any or no separator, years with four digits, and YYYY-MM, which HTML defines for autofill

function readExpiry() {
  const typed = visible(expiry.value).normalize('NFKC');
  const monthFirst = typed.replace(/^(\d{4})-(\d{2})$/, '$2/$1');
  const parts = /^(0?[1-9]|1[0-2])\D{0,3}((?:20)?\d{2})$/.exec(monthFirst);
  return parts ? { month: Number(parts[1]), year: 2000 + (Number(parts[2]) % 100) } : undefined;
}

function hasPassed({ month, year }) {
  const today = new Date();
  return year * 12 + month < today.getFullYear() * 12 + today.getMonth() + 1;
}

/** Shows a complete date as MM/YY when the customer leaves the field. */
function formatExpiry() {
  const read = readExpiry();
  if (read) expiry.value = [read.month, read.year % 100].map((part) => String(part).padStart(2, '0')).join('/');
}

// Errors: at the field, and in a summary that receives the focus

function numberProblem() {
  const digits = digitsOf(number.value);
  if (digits === '') return text.textNumberMissing;
  return digits.length >= 13 && digits.length <= 19 && passesLuhn(digits) ? undefined : text.textNumber;
}

function expiryProblem() {
  const read = readExpiry();
  if (!read || read.year > new Date().getFullYear() + 30) return text.textExpiry;
  return hasPassed(read) ? text.textExpired : undefined;
}

function cvvProblem() {
  const length = brandOf(digitsOf(number.value)) === 'American Express' ? 4 : 3;
  const digits = visible(cvv.value).normalize('NFKC');
  const fits = /^\d{3,4}$/.test(digits) && (digits.length === length || brandOf(digitsOf(number.value)) === '');
  return fits ? undefined : text.textCvv;
}

function contactProblem(input) {
  if (visible(input.value) === '') return input.dataset.required;
  if (input.type === 'email') input.value = visible(input.value);
  return input.checkValidity() ? undefined : input.dataset.invalid;
}

function problems() {
  const required = [...form.querySelectorAll('input[name][required], select[required]')];
  // The address fields are hidden if the shipping option needs no address.
  const contact = required.filter((input) => !input.closest('[hidden]')).map((input) => [input, contactProblem(input)]);
  return [
    ...contact,
    [number, numberProblem()],
    [holder, holder.value.trim() === '' ? text.textHolder : undefined],
    [expiry, expiryProblem()],
    [cvv, cvvProblem()],
  ].filter(([, message]) => message);
}

function showAtField(input, message) {
  const error = document.createElement('p');
  error.className = 'error';
  error.id = `${input.id}-error`;
  const prefix = document.createElement('span');
  prefix.className = 'hidden';
  prefix.textContent = `${text.textPrefix} `;
  error.append(prefix, message);
  input.closest('.field').classList.add('field-wrong');
  (input.closest('.card-number') ?? input).before(error);
  input.setAttribute('aria-invalid', 'true');
  input.setAttribute('aria-describedby', `${error.id} ${input.getAttribute('aria-describedby') ?? ''}`.trim());
}

function clearProblems() {
  problem.hidden = true;
  problemList.replaceChildren();
  document.querySelector('#errors')?.remove();
  for (const error of form.querySelectorAll('.error')) error.remove();
  for (const field of form.querySelectorAll('.field-wrong')) field.classList.remove('field-wrong');
  for (const input of form.querySelectorAll('[aria-invalid="true"]')) {
    const others = (input.getAttribute('aria-describedby') ?? '').split(' ').filter((id) => !id.endsWith('-error'));
    input.setAttribute('aria-invalid', 'false');
    if (others.join('') === '') input.removeAttribute('aria-describedby');
    else input.setAttribute('aria-describedby', others.join(' '));
  }
}

function summarize(entries) {
  for (const [input, message] of entries) {
    const item = document.createElement('li');
    const link = document.createElement('a');
    link.href = `#${input.id}`;
    link.textContent = message;
    link.addEventListener('click', (event) => {
      event.preventDefault();
      input.focus();
    });
    item.append(link);
    problemList.append(item);
  }
  problem.hidden = false;
  problem.focus();
}

// Payment

function setBusy(message) {
  pay.disabled = message !== undefined;
  payLabel.hidden = pay.disabled;
  busyLabel.textContent = message ?? '';
  progress.textContent = message ?? '';
}

async function postJson(address, options) {
  const answer = await fetch(address, {
    method: 'POST',
    cache: 'no-store',
    redirect: 'error',
    signal: AbortSignal.timeout(DEADLINE_MS),
    ...options,
  });
  if (answer.status === 400 || answer.status === 422) throw new Error('refused');
  if (answer.status === 401 || answer.status === 403) throw new Error('token refused');
  if (!answer.ok) throw new Error('unreachable');
  return answer.json();
}

function cardData() {
  const { month, year } = readExpiry();
  return {
    card_number: digitsOf(number.value),
    cardholder_name: visible(holder.value),
    cvv: visible(cvv.value).normalize('NFKC'),
    expiration_month: String(month).padStart(2, '0'),
    expiration_year: String(year),
  };
}

/**
 * Returns the access token for the tokenizer. `isRefused`: the tokenizer refused the one before.
 * If another tab paid or emptied the cart, the page redirects and the function throws `redirected`. Throws `limited` with the
 * seconds to wait as its cause.
 */
async function requestAccessToken({ isRefused }) {
  const answer = await fetch(text.accessTokenPath, {
    method: 'POST',
    headers: { accept: 'application/json' },
    body: new URLSearchParams(isRefused ? { refused: '1' } : {}),
    cache: 'no-store',
    signal: AbortSignal.timeout(DEADLINE_MS),
  });
  if (answer.status === 429) throw new Error('limited', { cause: answer.headers.get('retry-after') });
  const { access_token: accessToken, location: redirectTo } = await answer.json();
  if (answer.status === 409 && redirectTo) {
    location.assign(redirectTo);
    throw new Error('redirected');
  }
  if (!answer.ok) throw new Error('unreachable');
  return accessToken;
}

/** Exchanges the card for tokens. An access token may be used or expired, so a refused one is replaced once. */
async function tokenize(card) {
  try {
    return await exchange(card, await requestAccessToken({ isRefused: false }));
  } catch (error) {
    if (error.message !== 'token refused') throw error;
    return exchange(card, await requestAccessToken({ isRefused: true }));
  }
}

function exchange(card, accessToken) {
  return postJson(text.tokenizerUrl, {
    headers: {
      accept: 'application/json',
      'content-type': 'application/json',
      'X-Skyflow-Authorization': accessToken,
    },
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    body: JSON.stringify(card),
  });
}

/**
 * Copies the tokens to the hidden form fields. Throws if a token is missing or equals the card value.
 * Only this page can compare them: a card number with hyphens has the form of a number token.
 */
function fillIn(tokens, card) {
  for (const name of Object.keys(card)) {
    if (typeof tokens?.[name] !== 'string' || tokens[name] === '') throw new Error('unreachable');
    if (tokens[name] === card[name]) throw new Error('unreachable');
  }
  if (digitsOf(tokens.card_number) === card.card_number) throw new Error('unreachable');
  for (const name of Object.keys(card)) form.elements.namedItem(name).value = tokens[name];
}

function failureText({ message, cause }) {
  if (message === 'refused') return text.textRefused;
  // The text has the plural.
  return message === 'limited' ? text.textWait.replace('%s', Math.max(2, cause)) : text.textUnreachable;
}

/** What the page shows. A payment link has one amount, which never changes. */
const shown = () => form.elements.namedItem('seen')?.value;

async function payByCard() {
  setBusy(text.textBusy);
  try {
    const card = cardData();
    const seen = shown();
    const tokens = await tokenize(card);
    // The customer changed the delivery meanwhile, and has not seen its total on the button.
    if (shown() !== seen) return setBusy(undefined);
    fillIn(tokens, card);
    for (const input of [number, holder, expiry, cvv]) input.value = '';
    brand.textContent = '';
    setBusy(text.textSending);
    form.submit();
  } catch (error) {
    if (error.message === 'redirected') return;
    setBusy(undefined);
    summarize([[number, failureText(error)]]);
  }
}

form.addEventListener('submit', (event) => {
  // The button of the other payment flow.
  if (event.submitter?.name === 'update_total') return;
  event.preventDefault();
  if (pay.disabled) return;
  clearProblems();
  const found = problems();
  if (found.length === 0) {
    void payByCard();
    return;
  }
  for (const [input, message] of found) showAtField(input, message);
  summarize(found);
});

number.addEventListener('input', formatNumber);
number.addEventListener('change', formatNumber);
expiry.addEventListener('change', formatExpiry);

// After Back, the page comes from the bfcache. The tokens are already used, so the customer must type the card again.
window.addEventListener('pageshow', (event) => {
  if (event.persisted) {
    setBusy(undefined);
    for (const name of ['card_number', 'cardholder_name', 'cvv', 'expiration_month', 'expiration_year'])
      form.elements.namedItem(name).value = '';
  }
});

document.querySelector('#errors')?.focus();
