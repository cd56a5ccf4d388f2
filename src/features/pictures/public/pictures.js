/** Progressive enhancement of the forms that add pictures: several files at once, made smaller before they are sent. */
const SELECTOR = '[data-pictures]';
/** In pixels. The shop stores at most 1600. */
const MAX_SIDE = 2_000;
const QUALITY = 0.92;
const TIMEOUT_MS = 120_000;

/** Returns a large photo as a smaller JPEG. Other files, and what the browser cannot decode, stay as they are. */
async function makeSmaller(file) {
  if (file.type !== 'image/jpeg') return file;
  try {
    const { width, height } = await createImageBitmap(file);
    const scale = MAX_SIDE / Math.max(width, height);
    if (scale >= 1) return file;
    const size = { resizeWidth: Math.round(width * scale), resizeHeight: Math.round(height * scale) };
    const bitmap = await createImageBitmap(file, { ...size, resizeQuality: 'high' });
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    canvas.getContext('2d').drawImage(bitmap, 0, 0);
    return await canvas.convertToBlob({ type: 'image/jpeg', quality: QUALITY });
  } catch {
    return file;
  }
}

/** Posts one file with the fields of its form, of which one is named `action`. Returns the page of the answer. */
async function send({ form }, file) {
  const body = new FormData(form);
  body.set('file', await makeSmaller(file), file.name);
  body.set('action', 'save');
  const answer = await fetch(form.getAttribute('action'), {
    method: 'POST',
    body,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  return { url: answer.url, page: new DOMParser().parseFromString(await answer.text(), 'text/html') };
}

function showStatus({ form }, ...content) {
  let status = form.querySelector('[data-progress]');
  if (!status) {
    status = document.createElement('p');
    status.dataset.progress = '';
    status.setAttribute('role', 'status');
    form.append(status);
  }
  status.replaceChildren(...content);
}

/** Nothing was answered. The same form can be sent again: it creates no second product. */
function showFailure(field) {
  showStatus(field, field.dataset.failed);
  for (const button of field.form.querySelectorAll('[type="submit"]')) button.disabled = false;
}

/** Shows the form that was refused before its product was created. Its field keeps the chosen files. */
function showRefused(field, { url, page }) {
  const main = document.adoptNode(page.querySelector('main'));
  main.querySelector('[data-again]')?.remove();
  main.querySelector(SELECTOR).replaceWith(field);
  document.querySelector('main').replaceWith(main);
  document.title = page.title;
  history.replaceState(null, '', url);
  document.querySelector('#errors').focus();
}

/** Sends the files, one after the other, each with the form of the answer before. */
async function sendAll(field, files) {
  let [current, url] = [field];
  try {
    for (const [index, file] of files.entries()) {
      const text = field.dataset.pictures.replace('{number}', index + 1).replace('{count}', files.length);
      showStatus(
        field,
        text,
        ' ',
        Object.assign(document.createElement('progress'), { value: index, max: files.length }),
      );
      const answer = await send(current, file);
      url = answer.url;
      const next = answer.page.querySelector(SELECTOR);
      const hasErrors = answer.page.querySelector('#errors, [aria-invalid]') !== null;
      if (hasErrors && next?.id === 'file') return showRefused(field, answer);
      // The page shows what was refused, or that no more pictures fit.
      if (hasErrors || !next) break;
      current = next;
    }
  } catch {
    if (!url) return showFailure(field);
  }
  location.assign(url);
}

for (const field of document.querySelectorAll(SELECTOR)) field.multiple = true;

document.addEventListener('submit', (event) => {
  const { target, submitter } = event;
  const field = target.querySelector(SELECTOR);
  if (!field || field.files.length === 0) return;
  event.preventDefault();
  submitter.disabled = true;
  void sendAll(field, [...field.files]);
});
