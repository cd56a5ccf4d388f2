/** What the bank's page shows. */
import { type Frame, hostOf, moment, price } from './frame.js';
import type { Challenge } from './model.js';
import type { World } from './world.js';

export interface BankModel {
  readonly title: string;
  readonly action: string;
  readonly shop: string;
  readonly amount: string;
  readonly card: string;
  readonly until: string;
}

/** The page between the bank and the shop when the browser returns by POST. */
export interface ReturningModel {
  readonly title: string;
  readonly address: string;
}

export function bankModel(world: World, challenge: Challenge, { w, lang, langQuery }: Frame): BankModel {
  const { amountMinor, returnUrl, last4, brand } = purchaseOf(world, challenge);
  return {
    title: w.bankTitle,
    action: `/bank/${challenge.id}${langQuery}`,
    shop: hostOf(returnUrl) ?? '',
    amount: price(amountMinor, lang),
    card: `${brand} •••• ${last4}`,
    until: moment(challenge.expiresAt, lang),
  };
}

function purchaseOf(world: World, { owner, paymentId }: Challenge) {
  const payment = world.payments.get(owner.id);
  if (payment !== undefined) return { ...payment, ...payment.card };
  const session = world.sessions.get(owner.id);
  const card = session?.attempts.find((attempt) => attempt.paymentId === paymentId)?.card;
  return {
    amountMinor: session?.request.amount_total ?? 0,
    returnUrl: session?.request.return_url ?? session?.request.success_url ?? '',
    last4: card?.last4 ?? '',
    brand: card?.brand ?? '',
  };
}
