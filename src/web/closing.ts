import { isClosed } from '../shop/rules/shop-settings.js';
import type { RequestContext } from './request-context.js';

/** Returns why nothing can be bought now, and until when. `undefined`: the shop is open. */
export function closingText(context: RequestContext): string | undefined {
  const { closing, checkout, locale, t, day } = context;
  if (!closing || !isClosed(context, checkout.clock.now())) return undefined;
  const own = closing.texts[locale] ?? t('closed.text');
  return `${/[.!?…]$/.test(own) ? own : `${own}.`} ${t('closed.until', { day: day(closing.until) })}`;
}
