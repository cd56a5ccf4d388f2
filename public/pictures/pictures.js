/** Progressive enhancement of the page that adds pictures: several files at once, made smaller before they are sent. */
const form = document.querySelector('[data-pictures]');
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

/** Posts one file with the fields of the form, of which one is named `action`. Returns the page of the answer. */
async function send(current, file) {
  const body = new FormData(current);
  body.set('file', await makeSmaller(file), file.name);
  body.set('action', 'save');
  const answer = await fetch(current.getAttribute('action'), {
    method: 'POST',
    body,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  return { url: answer.url, page: new DOMParser().parseFromString(await answer.text(), 'text/html') };
}

function showProgress(number, count) {
  const text = form.dataset.pictures.replace('{number}', number).replace('{count}', count);
  let status = document.querySelector('[data-progress]');
  if (!status) {
    status = document.createElement('p');
    status.dataset.progress = '';
    status.setAttribute('role', 'status');
    form.append(status);
  }
  const bar = Object.assign(document.createElement('progress'), { value: number - 1, max: count });
  status.replaceChildren(text, ' ', bar);
}

async function sendAll(files) {
  let current = form;
  for (const [index, file] of files.entries()) {
    showProgress(index + 1, files.length);
    const { url, page } = await send(current, file);
    const next = page.querySelector('[data-pictures]');
    const hasErrors = page.querySelector('#errors, [aria-invalid]') !== null;
    // The page shows what was refused, or that no more pictures fit.
    if (hasErrors || !next || index === files.length - 1) return location.assign(url);
    current = next;
  }
}

if (form) {
  const field = form.querySelector('[type="file"]');
  field.multiple = true;
  form.addEventListener('submit', (event) => {
    const files = [...field.files];
    if (files.length === 0) return;
    event.preventDefault();
    event.submitter.disabled = true;
    sendAll(files).catch(() => location.reload());
  });
}
