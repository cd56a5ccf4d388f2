// Updates the list each second. Without this script the page has a link to reload it.

const list = document.querySelector('.exchanges');
const empty = document.querySelector('[data-empty]');
const find = (root, { dataset }) => root.querySelector(`[data-id="${dataset.id}"]`);

async function refresh() {
  const text = await (await fetch(location.href)).text();
  const fresh = new DOMParser().parseFromString(text, 'text/html').querySelector('.exchanges');
  for (const old of [...list.children]) if (!find(fresh, old)) old.remove();
  for (const item of [...fresh.children]) {
    const old = find(list, item);
    if (!old) list.append(item);
    else if (old.dataset.tone !== item.dataset.tone) {
      item.firstElementChild.open = old.firstElementChild.open;
      old.replaceWith(item);
    }
  }
  empty.hidden = list.children.length > 0;
}

document.querySelector('[data-reload]').hidden = true;
document.querySelector('[data-live]').hidden = false;
setInterval(() => {
  // A failed request is repeated a second later.
  if (!document.hidden) refresh().catch(() => undefined);
}, 1000);
