import { type FullHost, fullHostOf, paymentsOf } from '@tianguis/payments/testing';
import type { CheckoutContext } from '../../src/shop/checkout-context.js';
import { boundLoops, createShopHost } from '../../src/shop/shop-host.js';

/** Returns a context with these members, and with a host, payments and loops that use them too. */
export function changeCheckout(
  checkout: CheckoutContext,
  changes: Partial<CheckoutContext>,
  hostChanges: Partial<FullHost> = {},
): CheckoutContext {
  const parts = { ...checkout, ...changes };
  const contextOf = () => changed;
  const host = { ...fullHostOf(createShopHost(parts, contextOf)), ...hostChanges };
  const context = { ...parts, host, loops: boundLoops(parts.shopLoops, contextOf) };
  const changed: CheckoutContext = { ...context, payments: paymentsOf(context) };
  return changed;
}
