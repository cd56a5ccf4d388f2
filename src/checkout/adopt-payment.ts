import { GatewayError } from '../gateway/gateway-error.js';
import { type Attempt, findAttempt, isServiceIdTaken, putAttempt } from '../store/attempts.js';
import { recordEvent } from '../store/history.js';
import { lockOrder, moveOrder } from '../store/orders.js';
import type { CheckoutServices } from './services.js';

/** A card payment that may exist at the service under an id which never reached us. */
export function lacksServiceId(attempt: Pick<Attempt, 'kind' | 'state' | 'serviceId'>): boolean {
  const mayExist = attempt.state === 'unknown' || attempt.state === 'cancelled';
  return attempt.kind === 'card' && attempt.serviceId === null && mayExist;
}

/**
 * What came of a name for a lost payment: it is ours now, it was ours before or is somebody else's, the service knows
 * no such payment (yet), or it could not be asked.
 */
export type Adoption = 'adopted' | 'not_ours' | 'not_found' | 'unreachable';

/**
 * Gives a card payment whose answer was lost the service's id, when someone trusted named one and the lookup under
 * that id tells the attempt's own reference. From then on it is settled like any other.
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
    const attempt = await findAttempt(queries, attemptId);
    if (!attempt || !lacksServiceId(attempt)) return;
    const order = await lockOrder(queries, attempt.orderId);
    // One that the merchant had closed is watched, and stands in nobody's way.
    const isLive = attempt.state === 'unknown';
    const state = isLive ? 'open' : 'superseded';
    await putAttempt(queries, attemptId, { state, at, patch: { serviceId, nextCheckAt: at } });
    // Of a closed one the order no longer waits: what is unknown about it is another attempt.
    if (isLive && order.state === 'outcome_unknown') await moveOrder(queries, order, { to: 'pending', at });
    await recordEvent(queries, {
      orderId: order.id,
      at,
      kind: 'payment_found',
      detail: { attempt: attempt.ordinal },
    });
  });
}
