/** Progressive enhancement of the cart: sends its forms with `fetch` and replaces the changed parts of the page. */
const PATIENCE_MS = 10_000;
/** Debounce of quantity changes, because a stepper is clicked several times in a row. */
const PAUSE_MS = 400;
const COUNT = '.cart-link';

const said = document.createElement('p');
said.className = 'hidden';
said.setAttribute('role', 'status');
document.body.append(said);

let turn = Promise.resolve();
let waiting = 0;
let timer;

async function send({ action, fields }) {
  const answer = await fetch(action, {
    method: 'POST',
    body: new URLSearchParams(fields),
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  if (!answer.ok && answer.status !== 422) throw new Error('not a cart');
  return new DOMParser().parseFromString(await answer.text(), 'text/html');
}

/** Returns the unsaved input of the focused field, so that the replacement of the page does not lose it. */
function typedElsewhere() {
  const { activeElement: field } = document;
  const isTyped = field instanceof HTMLInputElement && field.value !== field.defaultValue;
  return isTyped ? { id: field.id, value: field.value } : undefined;
}

function show(page, sentFrom) {
  const focused = document.activeElement?.id;
  const typed = typedElsewhere();
  document.querySelector('main').replaceWith(page.querySelector('main'));
  document.querySelector(COUNT).replaceWith(page.querySelector(COUNT));
  document.title = page.title;
  if (typed && typed.id !== sentFrom) {
    const field = document.getElementById(typed.id);
    if (field) field.value = typed.value;
  }
  (document.getElementById(focused) ?? document.querySelector('main')).focus({ preventScroll: true });
  said.textContent = document.querySelector('[data-said]')?.dataset.said ?? '';
}

async function change(form, sent) {
  try {
    const page = await send(sent);
    // Only the last response is shown, so that the page never shows an older state.
    if (waiting === 1) show(page, sent.field);
  } catch {
    form.submit();
  } finally {
    waiting -= 1;
  }
}

document.addEventListener('submit', (event) => {
  const form = event.target;
  if (!form.matches('.cart-change form')) return;
  event.preventDefault();
  clearTimeout(timer);
  const sent = {
    action: form.action,
    fields: [...new FormData(form)],
    field: form.querySelector('input')?.id,
  };
  waiting += 1;
  turn = turn.then(() => change(form, sent));
});

document.addEventListener('change', ({ target }) => {
  if (!target.matches('.cart-change .quantity')) return;
  clearTimeout(timer);
  timer = setTimeout(() => target.form.requestSubmit(), PAUSE_MS);
});
