/** Progressive enhancement of the product page: pictures to enlarge, and variants that change in place. */
const TIMEOUT_MS = 10_000;

const slides = () => [...document.querySelectorAll('.slides > li')];
const enlarged = () => document.querySelector('.enlarged');

/** Place of the picture in the dialog, from 0. */
let place = 0;

function scrollToSlide(index) {
  const [first, slide] = [slides()[0], slides()[index]];
  slide.parentElement.scrollTo({ left: slide.offsetLeft - first.offsetLeft });
}

function setZoom(isZoomed) {
  enlarged().classList.toggle('zoomed', isZoomed);
  enlarged().querySelector('[data-zoom]').setAttribute('aria-pressed', String(isZoomed));
  const { parentElement: view } = enlarged().querySelector('img');
  if (isZoomed) view.scrollTo((view.scrollWidth - view.clientWidth) / 2, (view.scrollHeight - view.clientHeight) / 2);
}

/** Shows a picture in the dialog. After the last one comes the first. */
function showEnlarged(index) {
  const all = slides();
  place = (index + all.length) % all.length;
  const { src, srcset, alt } = all[place].querySelector('img');
  // Without `srcset`, the attribute must be empty, because the element is used again.
  Object.assign(enlarged().querySelector('img'), { src, srcset, alt, sizes: '200vw' });
  setZoom(false);
  scrollToSlide(place);
}

/** The small picture of the slide in view is the current one. */
const observer = new IntersectionObserver(
  (entries) => {
    const shown = entries.find(({ isIntersecting }) => isIntersecting);
    if (!shown) return;
    for (const link of document.querySelectorAll('.thumbnails a'))
      link.setAttribute('aria-current', String(link.hash === `#${shown.target.id}`));
  },
  { threshold: 0.6 },
);

function prepareGallery() {
  for (const slide of slides()) {
    slide.querySelector('button').hidden = false;
    observer.observe(slide);
  }
}

const variantList = () => document.querySelector('.variants');

/** On a phone, the list of variants is one line that scrolls. */
function showCurrentVariant() {
  const current = variantList()?.querySelector('[aria-current]');
  if (!current) return;
  const [list, item] = [variantList().getBoundingClientRect(), current.getBoundingClientRect()];
  variantList().scrollBy({ left: item.left - list.left - (list.width - item.width) / 2, behavior: 'instant' });
}

/** While another variant loads, the button would add the one from before. */
function setBusy(isBusy) {
  const bar = document.querySelector('.choice-bar');
  bar.setAttribute('aria-busy', String(isBusy));
  bar.querySelector('.buy')?.toggleAttribute('inert', isBusy);
}

let request;

/** Shows the page of another variant without a jump. If it does not load, the browser opens it. */
async function showVariant(link) {
  request?.abort();
  request = new AbortController();
  const { signal } = request;
  const timer = setTimeout(() => request.abort(), TIMEOUT_MS);
  setBusy(true);
  try {
    const answer = await fetch(link.href, { signal });
    if (!answer.ok) throw new Error(`answered ${answer.status}`);
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    replacePage(page, link.href.replace(/#.*/, ''));
  } catch {
    // A later choice aborts this one.
    if (request.signal === signal) location.assign(link.href);
  } finally {
    clearTimeout(timer);
    if (request.signal === signal) setBusy(false);
  }
}

/** A sold-out variant has no field for it. */
let typedQuantity;

function replacePage(page, address) {
  const topOf = () => document.querySelector('.choice-bar').getBoundingClientRect().top;
  const top = topOf();
  typedQuantity = document.querySelector('#quantity')?.value ?? typedQuantity;
  const { scrollLeft = 0 } = variantList() ?? {};
  for (const part of ['main', 'link[rel="canonical"]', '.languages [name="back"]'])
    document.querySelector(part)?.replaceWith(page.querySelector(part) ?? '');
  document.title = page.title;
  history.replaceState(null, '', address);
  const field = document.querySelector('#quantity');
  if (field && typedQuantity) field.value = typedQuantity;
  prepareGallery();
  variantList()?.scrollTo({ left: scrollLeft, behavior: 'instant' });
  document.querySelector('.variants [aria-current]')?.focus({ preventScroll: true });
  scrollBy({ top: topOf() - top, behavior: 'instant' });
}

document.addEventListener('click', (event) => {
  const { target } = event;
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const [variant, thumbnail] = [target.closest('.variants a'), target.closest('.thumbnails a')];
  if (variant || thumbnail) event.preventDefault();
  if (variant) void showVariant(variant);
  if (thumbnail) scrollToSlide(slides().findIndex(({ id }) => thumbnail.hash === `#${id}`));
  if (target.closest('.enlarge')) {
    showEnlarged(slides().indexOf(target.closest('li')));
    enlarged().showModal();
  }
  if (target.closest('[data-step]')) showEnlarged(place + Number(target.closest('[data-step]').value));
  if (target.closest('[data-zoom], .enlarged img')) setZoom(!enlarged().classList.contains('zoomed'));
});

document.addEventListener('keydown', ({ key, target }) => {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
  if (step && target.closest('.enlarged:not(.zoomed)')) showEnlarged(place + step);
});

prepareGallery();
showCurrentVariant();
