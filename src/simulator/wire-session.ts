/** The session object as the service answers it. */
import type { Session } from './model.js';
import type { World } from './world.js';

/** The whole object of the interface document. */
export function sessionObject(world: World, session: Session): unknown {
  const { request } = session;
  return {
    ...essentials(world, session),
    expires_at: session.expiresAt,
    session_type: 'payment',
    checkout_type: 'hosted',
    success_url: request.success_url ?? null,
    return_url: request.return_url ?? null,
    pending_url: request.pending_url ?? null,
    metadata: request.metadata ?? {},
    payment_method_types: ['card'],
    ui_config: request.ui_config ?? {},
    ui_config_version: request.ui_config_version ?? 'V1',
    created_at: session.createdAt,
    modified_at: session.modifiedAt,
    paid_at: session.paidAt,
    customer: request.customer,
    line_items: request.line_items,
    provider: 'simulator',
  };
}

/** The public samples abbreviate a session that has been paid. */
export function readBack(world: World, session: Session): unknown {
  if (world.settings.profile === 'interface' || session.status !== 'completed') {
    return sessionObject(world, session);
  }
  return { ...essentials(world, session), paid_at: session.paidAt };
}

export function sessionUrl(world: World, id: string): string {
  return `${world.url}/checkout/${id}`;
}

function essentials(world: World, session: Session) {
  return {
    id: session.id,
    url: sessionUrl(world, session.id),
    status: session.status,
    payment_id: session.paymentId,
    amount_total: session.request.amount_total,
    currency: session.request.currency,
    external_id: session.request.external_id ?? null,
    transaction_status: session.transactionStatus,
  };
}
