import type { OrderLine } from '../shop/rules/cart.js';
import { discountOf } from '../shop/rules/discount.js';
import type { I18n } from './i18n.js';

/** Returns the row of the discount between lines and total. `undefined`: there is none. Without a code the merchant gave it. */
export function discountRow(
  { t, money }: Pick<I18n, 't' | 'money'>,
  code: string | null,
  lines: readonly Pick<OrderLine, 'discount'>[],
) {
  const amount = discountOf(lines);
  if (amount === 0) return undefined;
  const label = code === null ? t('summary.merchantDiscount') : t('summary.discount', { code });
  return { label, amount: `−${money(amount)}` };
}
