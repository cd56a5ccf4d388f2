/** Sends the card to the tokenizer, and the form with tokens to the shop. The inputs of the card have no name. */
const form = document.querySelector('#card-form');
const problem = document.querySelector('#problem');
const pay = document.querySelector('#pay');
const [number, holder, expiry, cvv] = ['number', 'holder', 'expiry', 'cvv'].map((id) =>
  document.getElementById(`card-${id}`),
);
const digitsOf = (value) => value.replace(/\D/g, '');

/** Returns the card, or shows what is wrong and returns nothing. */
function readCard() {
  const date = /^(0?[1-9]|1[0-2])\D{0,3}(?:20)?(\d{2})$/.exec(expiry.value.trim());
  const wrong = [
    [number, /^\d{13,19}$/.test(digitsOf(number.value)), 'Revisa el número de la tarjeta.'],
    [holder, holder.value.trim() !== '', 'Escribe el nombre como está en la tarjeta.'],
    [expiry, date !== null, 'Escribe el vencimiento como MM/AA.'],
    [cvv, /^\d{3,4}$/.test(cvv.value.trim()), 'Escribe el código de seguridad.'],
  ].find(([input, isRight]) => input.setAttribute('aria-invalid', String(!isRight)) ?? !isRight);
  if (wrong) {
    show(wrong[2], wrong[0]);
    wrong[0].focus();
    return undefined;
  }
  return {
    card_number: digitsOf(number.value),
    cardholder_name: holder.value.trim(),
    cvv: cvv.value.trim(),
    expiration_month: date[1].padStart(2, '0'),
    expiration_year: `20${date[2]}`,
  };
}

/** Shows a problem at its field, or above the form. */
function show(text, place = form) {
  place.before(problem);
  problem.hidden = text === '';
  problem.textContent = text;
}

async function accessToken(isRefused) {
  const body = new URLSearchParams(isRefused ? { refused: '1' } : {});
  const answer = await fetch('/checkout/card/access-token', {
    method: 'POST',
    body,
    signal: AbortSignal.timeout(15_000),
  });
  if (answer.status === 429) throw new Error('Hubo demasiados intentos. Espera unos minutos.');
  if (!answer.ok) throw new Error();
  return (await answer.json()).access_token;
}

/** Asks for another access token once if the tokenizer refuses the first one. */
async function tokenize(card, isRefused = false) {
  const answer = await fetch(form.dataset.tokenizerUrl, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Skyflow-Authorization': await accessToken(isRefused) },
    body: JSON.stringify(card),
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    signal: AbortSignal.timeout(15_000),
  });
  if ((answer.status === 401 || answer.status === 403) && !isRefused) return tokenize(card, true);
  if (answer.status === 400 || answer.status === 422) throw new Error('No se aceptaron los datos de la tarjeta.');
  if (!answer.ok) throw new Error();
  const tokens = await answer.json();
  const isToken = (name) => typeof tokens[name] === 'string' && tokens[name] !== '' && tokens[name] !== card[name];
  if (!Object.keys(card).every(isToken) || digitsOf(tokens.card_number) === card.card_number) throw new Error();
  return tokens;
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  if (pay.disabled) return;
  show('');
  const card = readCard();
  if (!card) return;
  pay.disabled = true;
  try {
    const tokens = await tokenize(card);
    for (const name of Object.keys(card)) form.elements.namedItem(name).value = tokens[name];
    for (const input of [number, holder, expiry, cvv]) input.value = '';
    form.submit();
  } catch (error) {
    const isOwn = error instanceof Error && error.name === 'Error' && error.message !== '';
    show(isOwn ? error.message : 'No pudimos leer tu tarjeta. Con este intento no se cobró nada. Inténtalo de nuevo.');
    pay.disabled = false;
  }
});

// After Back the tokens are used: the customer types the card again.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload();
});
