/** Commands of the model test about the merchant's corrections of lines. */

import { ID_BYTES, timeOrderedId } from '@tianguis/payments/rules';
import fc from 'fast-check';
import { always, type Command, given } from '../../../../test/payments-in-shop/model/commands.js';
import type { System } from '../../../../test/payments-in-shop/model/system.js';
import { contactOf } from '../../../shop/rules/contact.js';
import { seenOf } from '../../../shop/seen.js';
import { priceWanted } from '../../merchant-orders/place-merchant-order.js';
import { correctLines } from '../correct-lines.js';

const quantities = fc.constantFrom(1, 2);

export const COMMANDS: fc.Arbitrary<Command>[] = [
  given('merchant corrects the lines, pieces:', quantities, (system, quantity) => correct(system, quantity)),
  always('two admin users correct the lines, the customer returns and pays again', async (system) => {
    await Promise.all([correct(system, 1), correct(system, 2), system.settleAll('return'), system.submitHosted()]);
  }),
];

/** Replaces each unpaid order by one of a product that needs no delivery. */
async function correct({ context }: System, quantity: number): Promise<void> {
  const { db, clock, settings } = context;
  const wanted = {
    quantities: new Map([['taza-talavera', quantity]]),
    choice: { shippingOption: undefined },
    deliveryState: undefined,
    postalCode: undefined,
  };
  for (const order of await db.queries.selectFrom('orders').selectAll().execute()) {
    const at = clock.now();
    const { shipping } = settings.current();
    const { priced, quote } = await priceWanted(db.queries, wanted, { shipping, cartId: order.cartId, at });
    await correctLines(context, order, {
      ...wanted,
      id: timeOrderedId(at, context.random(ID_BYTES)),
      contact: contactOf(order),
      locale: 'es-MX',
      nameOfFee: () => 'Envío',
      note: '',
      payableMs: 60 * 60_000,
      isReservedUntilEnd: quantity === 2,
      seen: quote ? seenOf(priced, quote) : '',
      by: 'ana',
      version: order.version,
    });
  }
}
