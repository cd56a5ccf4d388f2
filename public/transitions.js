/**
 * Skips the transition of `transitions.css` to a page that does not link it. Chromium would report an error on that page.
 */
const WITH_TRANSITION = /^\/(?:[a-z]{2}\/?)?(?:$|products\/)/;

window.addEventListener('pageswap', ({ viewTransition, activation }) => {
  if (!viewTransition || WITH_TRANSITION.test(new URL(activation.entry.url).pathname)) return;
  viewTransition.ready.catch(() => undefined);
  viewTransition.skipTransition();
});
