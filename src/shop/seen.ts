/** What a page showed before it leads to a charge. The form posts it, so that nothing else is charged. Pure. */
import { createHash } from 'node:crypto';
import type { CartDiscount, PricedLine } from './rules/cart.js';
import { isExact, type Quote } from './rules/fees.js';

interface SeenCart {
  readonly lines: readonly (Pick<PricedLine, 'quantity' | 'unitPrice' | 'discount'> & {
    readonly product: Pick<PricedLine['product'], 'id'>;
  })[];
  readonly discount: Pick<CartDiscount, 'code'> | undefined;
}

type SeenQuote = Pick<Quote, 'id' | 'price' | 'greatest' | 'total'>;

/**
 * Returns the hash of lines, unit prices, code and discount, and after a point that of the shipping option and the total.
 * The second is empty while the total depends on an address that is not known yet, which {@link isSeen} refuses.
 */
export function seenOf(priced: SeenCart, quote: SeenQuote): string {
  return `${cartHash(priced)}.${isExact(quote) ? hashOf([quote.id, quote.price, quote.total]) : ''}`;
}

/** Returns whether a page with `seen` showed this cart with this option and total. */
export function isSeen(seen: string, priced: SeenCart, quote: SeenQuote): boolean {
  return isExact(quote) && seen === seenOf(priced, quote);
}

/** Returns whether a page with `seen` showed this cart, with any option and total. */
export function isSeenCart(seen: string, priced: SeenCart): boolean {
  return seen.split('.')[0] === cartHash(priced);
}

function cartHash({ lines, discount }: SeenCart): string {
  const seenLines = lines.map((line) => [line.product.id, line.quantity, line.unitPrice, line.discount].join());
  return hashOf([seenLines.sort(), discount?.code ?? null]);
}

/** 128 bits. Letters keep digits apart, so that it does not look like a card number. */
function hashOf(shown: unknown): string {
  return createHash('sha256').update(JSON.stringify(shown)).digest('base64url').slice(0, 22);
}
