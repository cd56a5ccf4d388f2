/** Discount codes: how they are written, when they are valid, and how many uses a client may set aside. Pure. */
import { type Centavos, centavos, holdsCardNumber } from '@tianguis/payments/rules';
import { type Discount, discountOn } from '../../shop/rules/discount.js';
import { dayOf } from '../../shop/rules/mexico-day.js';
import { CLIENT_LEVELS, type ClientKeys } from '../../shop/rules/stock.js';
import type { DiscountCodesTable } from './tables.js';

const CODE = /^[A-Z0-9-]{3,30}$/;

/** Returns a typed code as it is stored: without spaces around it, in upper case. `undefined`: it can be no code. */
export function readCode(typed: string): string | undefined {
  const code = typed.normalize('NFKC').trim().toUpperCase();
  return CODE.test(code) && !holdsCardNumber(code) ? code : undefined;
}

/** Part of the price of the products from which a discount looks like a typing error. */
const UNUSUAL_SHARE = 0.9;

/** Returns whether nearly all of the most expensive product, or of the least products that the code needs, is taken off. */
export function isUnusual(discount: Discount & { readonly minimum: Centavos }, highestPrice: Centavos): boolean {
  const goods = centavos(Math.max(discount.minimum, highestPrice, 1));
  return discountOn(goods, discount) >= goods * UNUSUAL_SHARE;
}

type Validity = Pick<DiscountCodesTable, 'startsOn' | 'endsOn' | 'endedAt'>;

/** `ended` includes a code whose last day is over. */
export function stateOf({ startsOn, endsOn, endedAt }: Validity, at: number): 'coming' | 'active' | 'ended' {
  const today = dayOf(at);
  if (endedAt !== null || (endsOn !== null && endsOn < today)) return 'ended';
  return startsOn !== null && today < startsOn ? 'coming' : 'active';
}

/** The uses of a code by other carts. */
export interface TakenUses {
  /** Of paid orders. */
  readonly paid: number;
  /** Of unpaid orders, that are set aside now. */
  readonly held: number;
  /** Those of `held` by the client, by the name of its address or network. */
  readonly heldBy: Readonly<Partial<Record<keyof ClientKeys, number>>>;
}

/** Part of the uses without a payment that one client may set aside. */
const CLIENT_SHARE = 1 / 4;

/** Returns whether an order of this client may set a use aside. Without a client only the number of uses is a limit. */
export function mayUse(maxUses: number | null, { paid, held, heldBy }: TakenUses, client?: ClientKeys): boolean {
  if (maxUses === null) return true;
  const unpaid = maxUses - paid;
  if (unpaid - held < 1) return false;
  const share = Math.max(1, Math.floor(unpaid * CLIENT_SHARE));
  return CLIENT_LEVELS.every(({ member }) => !client?.[member] || (heldBy[member] ?? 0) < share);
}
