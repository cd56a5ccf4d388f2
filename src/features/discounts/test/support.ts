import { centavos } from '@tianguis/payments/rules';
import type { Customer } from '../../../../test/support/customer.js';
import { storeSettings } from '../../../../test/support/shop-settings.js';
import type { TestShop } from '../../../../test/support/test-shop.js';
import { STATE_CODES } from '../../../shop/rules/contact.js';
import type { ShippingTable } from '../../../shop/rules/shipping-table.js';
import { insertCode } from '../repository.js';
import type { DiscountCodesTable } from '../tables.js';

/** Stores the code `DIEZ` of 10 %, with changes. */
export async function addCode(shop: TestShop, change: Partial<DiscountCodesTable> = {}): Promise<void> {
  const limits = { minimum: centavos(0), startsOn: null, endsOn: null, maxUses: null };
  const history = { createdAt: shop.clock.now(), createdBy: 'admin', endedAt: null, endedBy: null };
  await insertCode(shop.queries, { code: 'DIEZ', kind: 'percent', value: 10, ...limits, ...history, ...change });
}

/** Applies a code in the cart. Throws if it is refused. */
export async function applyCode(customer: Customer, code = 'DIEZ'): Promise<void> {
  const { status } = await customer.send('/cart/discount', { code });
  if (status !== 303) throw new Error(`the code was answered with ${status}`);
}

/** The uses of a code: of paid orders, and set aside now. */
export async function usesOf({ queries, clock }: TestShop, code = 'DIEZ'): Promise<{ paid: number; held: number }> {
  const uses = await queries.selectFrom('discountUses').selectAll().where('code', '=', code).execute();
  const unpaid = uses.filter(({ usedAt }) => usedAt === null);
  return {
    paid: uses.length - unpaid.length,
    held: unpaid.filter(({ expiresAt }) => expiresAt > clock.now()).length,
  };
}

/** Offers pickup, and delivery for this price, which is free from $200.00 of products. */
export async function deliverFor({ queries, clock }: TestShop, pesos: number): Promise<void> {
  const steps = [{ upTo: null, price: centavos(pesos * 100) }];
  const delivery = { by: 'total', steps, freeFrom: centavos(200_00), days: null } as const;
  const zone = { name: 'México', states: STATE_CODES, postalCodes: [], delivery };
  const shipping: ShippingTable = { defaultWeight: 1_000, pickup: true, zones: [zone] };
  await storeSettings(queries, { shipping });
  clock.advance(1_000);
}
