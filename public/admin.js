/** Progressive enhancement of the back office. The element of this script has the texts. */
const { texts } = document.querySelector('script[data-texts]').dataset;
const { showPassword, copy, copied, share, restored, chooseAgain, unsaved } = JSON.parse(texts);

function makeButton(text) {
  const button = document.createElement('button');
  Object.assign(button, { type: 'button', className: 'button-plain', textContent: text });
  return button;
}

for (const field of document.querySelectorAll('input[type="password"]')) {
  const button = makeButton(showPassword);
  button.setAttribute('aria-pressed', 'false');
  button.addEventListener('click', () => {
    const isShown = field.type === 'password';
    field.type = isShown ? 'text' : 'password';
    button.setAttribute('aria-pressed', String(isShown));
  });
  // A shown password would be stored among the suggestions of the browser.
  field.form.addEventListener('submit', () => {
    field.type = 'password';
  });
  field.after(button);
}

/** Buttons for a link or a password that the merchant gives to another person. */
for (const element of document.querySelectorAll('[data-copy], .admin-secret')) {
  const text = element.value ?? element.textContent;
  const buttons = [];
  if (navigator.clipboard) {
    const button = makeButton(copy);
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(text);
      button.textContent = copied;
    });
    buttons.push(button);
  }
  if (navigator.share && text.startsWith('http')) {
    const button = makeButton(share);
    button.addEventListener('click', () => navigator.share({ url: text }).catch(() => undefined));
    buttons.push(button);
  }
  element.after(...buttons);
}

/**
 * What was typed in a form whose post found an ended session. The tab stores it until the sign-in returns to the page of the
 * form, without passwords. Hidden fields are restored, too: the typed texts belong to the version that was shown. No page can
 * restore a chosen file, so it says which one to choose again.
 */
const DRAFT = 'admin-draft';

/** Returns the address of a form. The member `action` would be a button with this name. */
const actionOf = (form) => form.getAttribute('action');

/** Returns the forms of the page that post to the same address. */
const formsWith = (action) => [...document.forms].filter((form) => actionOf(form) === action);

function typedFields(form) {
  const controls = [...form.elements].filter(
    ({ name, type, files }) => name && !['password', 'submit', 'button'].includes(type) && files?.length !== 0,
  );
  return controls.map(({ name, type, value, checked, files }) => {
    if (files) return { name, isFile: true };
    return type === 'checkbox' || type === 'radio' ? { name, value, checked } : { name, value };
  });
}

function restore(form, fields) {
  const controls = [...form.elements];
  for (const { name, value, checked, isFile } of fields) {
    const control = controls.find((each) => each.name === name && (checked === undefined || each.value === value));
    if (!control) continue;
    if (isFile)
      control.before(Object.assign(document.createElement('p'), { className: 'error', textContent: chooseAgain }));
    else if (checked === undefined) control.value = value;
    else control.checked = checked;
  }
  const notice = document.createElement('p');
  const texts = fields.some(({ isFile }) => isFile) ? [restored, chooseAgain] : [restored];
  Object.assign(notice, { className: 'notice', textContent: texts.join(' ') });
  notice.setAttribute('role', 'status');
  form.prepend(notice);
}

/** Returns whether the form has what the server has not stored. A refused form has a field with an error. */
function isUnsaved(form) {
  if (form.getAttribute('method') !== 'post' || form.querySelector('[type="password"]')) return false;
  return (
    form.matches('[data-unsaved], :has([aria-invalid="true"]:not([type="file"]))') || [...form.elements].some(isChanged)
  );
}

function isChanged({ name, type, value, defaultValue, checked, defaultChecked, files, options, selectedIndex }) {
  if (!name || ['hidden', 'search', 'submit', 'button'].includes(type)) return false;
  if (files) return files.length > 0;
  if (options)
    return (
      selectedIndex !==
      Math.max(
        0,
        [...options].findIndex(({ defaultSelected }) => defaultSelected),
      )
    );
  if (type === 'checkbox' || type === 'radio') return checked !== defaultChecked;
  return value?.toLowerCase() !== defaultValue?.toLowerCase();
}

/** Asks before the page is left without what was typed. `sent` is the form that is being sent. */
function stopsLeaving(event, sent) {
  if (![...document.forms].some((form) => form !== sent && isUnsaved(form)) || confirm(unsaved)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

document.addEventListener('click', (event) => {
  const link = event.target.closest('a[href]');
  if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return;
  if (event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const isHere = link.hash !== '' && link.pathname + link.search === location.pathname + location.search;
  if (!isHere) stopsLeaving(event);
});
// Captured, so that it comes before the scripts that disable the buttons and send files.
document.addEventListener('submit', (event) => stopsLeaving(event, event.target), { capture: true });

document.addEventListener('submit', ({ target }) => {
  if (target.getAttribute('method') !== 'post' || target.querySelector('[type="password"]')) return;
  const { pathname } = location;
  const action = actionOf(target);
  const place = formsWith(action).indexOf(target);
  sessionStorage.setItem(DRAFT, JSON.stringify({ pathname, action, place, fields: typedFields(target) }));
});

const draft = JSON.parse(sessionStorage.getItem(DRAFT));
const isSigningIn = document.querySelector('[data-test="admin-returns"]') !== null;
if (draft && isSigningIn) sessionStorage.setItem(DRAFT, JSON.stringify({ ...draft, isEnded: true }));
else if (draft && (!draft.isEnded || draft.pathname === location.pathname)) {
  const form = formsWith(draft.action)[draft.place];
  if (draft.isEnded && form) restore(form, draft.fields);
  sessionStorage.removeItem(DRAFT);
}
