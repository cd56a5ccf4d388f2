/** Progressive enhancement of a delivery address: fills in and offers what the shop knows of a postal code. A typed text stays. */
const postalCode = document.querySelector('[name="postal_code"]');
const [state, municipality, neighborhood] = ['state', 'municipality', 'neighborhood'].map((name) =>
  postalCode?.form.elements.namedItem(name),
);
let request;

function addList(field) {
  const list = document.createElement('datalist');
  list.id = `${field.id}-list`;
  field.after(list);
  field.setAttribute('list', list.id);
}

function offer(field, names) {
  field.list.replaceChildren(...names.map((name) => new Option(name)));
}

/** Fills in a field that is empty, or still has what an earlier code filled in. Not while the customer may be typing. */
function fill(field, value) {
  if (field === document.activeElement || !['', field.dataset.filled].includes(field.value)) return;
  field.value = value;
  field.dataset.filled = value;
}

/** Removes what an earlier code filled in and offered. */
function forget() {
  for (const field of [state, municipality]) fill(field, '');
  for (const field of [municipality, neighborhood]) offer(field, []);
}

function show(place) {
  if (place.state) fill(state, place.state);
  if (place.municipalities.length === 1) fill(municipality, place.municipalities[0]);
  offer(municipality, place.municipalities);
  offer(neighborhood, place.neighborhoods);
}

/** Asks the shop for a complete code. The answer to an earlier one is ignored. Without an answer the customer types. */
async function lookUp() {
  request?.abort();
  request = new AbortController();
  // The server removes what was pasted around the digits.
  const code = postalCode.value.replace(/[\s\p{Default_Ignorable_Code_Point}]/gu, '');
  if (!/^\d{5}$/.test(code)) return;
  forget();
  try {
    const answer = await fetch(`/postal-codes/${code}`, { signal: request.signal });
    if (answer.ok) show(await answer.json());
  } catch {
    // The network failed, or the code changed.
  }
}

if (postalCode) {
  for (const field of [municipality, neighborhood]) addList(field);
  postalCode.addEventListener('input', lookUp);
  void lookUp();
}
