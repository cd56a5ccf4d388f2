import { type Attempt, findAttempt, isServiceIdTaken } from '../db/attempts.js';
import { lockOrder } from '../db/orders.js';
import { GatewayError } from '../gateway/errors.js';
import { applyTransition } from './apply-transition.js';
import type { CheckoutServices } from './services.js';

/** Returns whether a card payment may exist at the gateway without a stored id. A decline with status 402 names no id. */
export function lacksServiceId(attempt: Pick<Attempt, 'kind' | 'state' | 'serviceId'>): boolean {
  const mayExist = ['unknown', 'cancelled', 'declined'].includes(attempt.state);
  return attempt.kind === 'card' && attempt.serviceId === null && mayExist;
}

/**
 * Result of adopting a candidate id.
 * `adopted`: the lookup returned the attempt's reference. `not_ours`: the id belongs to another payment or attempt, or
 * the attempt needs no id. `not_found`: the gateway does not know the id yet. `unreachable`: the lookup failed.
 */
export type Adoption = 'adopted' | 'not_ours' | 'not_found' | 'unreachable';

/**
 * Stores a gateway id for a card payment whose response was lost. Only authenticated webhooks and admin users may supply
 * candidates. A candidate is stored only if its lookup returns the attempt's own reference. The attempt is then settled
 * like any other.
 */
export async function adoptPayment(
  services: CheckoutServices,
  attemptId: string,
  candidates: readonly string[],
): Promise<Adoption> {
  const attempt = await findAttempt(services.db.queries, attemptId);
  if (!attempt || !lacksServiceId(attempt) || attempt.environment !== services.policy.environment)
    return 'not_ours';
  let came: Adoption = 'not_ours';
  for (const serviceId of candidates) {
    const answer = await askAbout(services, serviceId, attempt.reference);
    if (answer === 'adopted') {
      await adopt(services, attemptId, serviceId);
      return answer;
    }
    if (answer !== 'not_ours') came = answer;
  }
  return came;
}

async function askAbout(services: CheckoutServices, serviceId: string, reference: string): Promise<Adoption> {
  if (await isServiceIdTaken(services.db.queries, serviceId)) return 'not_ours';
  try {
    const evidence = await services.gateway.readTransaction(serviceId);
    return evidence.id === serviceId && evidence.reference === reference ? 'adopted' : 'not_ours';
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return error.code === 'not_found' || error.code === 'refused' ? 'not_found' : 'unreachable';
  }
}

async function adopt(services: CheckoutServices, attemptId: string, serviceId: string): Promise<void> {
  const at = services.clock.now();
  await services.db.transaction(async (queries) => {
    const found = await findAttempt(queries, attemptId);
    if (!found) return;
    const order = await lockOrder(queries, found.orderId);
    const attempt = await findAttempt(queries, attemptId);
    if (!attempt || !lacksServiceId(attempt)) return;
    await applyTransition(queries, services, {
      order,
      attempt,
      event: { type: 'found' },
      at,
      patch: { serviceId, nextCheckAt: at },
      history: { kind: 'payment_found', detail: { attempt: attempt.ordinal } },
    });
  });
}
