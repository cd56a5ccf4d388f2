/** The addresses to which browsers are redirected. */
import type { Challenge, Session } from './model.js';
import type { SimulatorState } from './state.js';

/** The bank's page of a challenge. */
export function bankUrl(state: SimulatorState, { id }: Challenge): string {
  return `${state.url}/bank/${id}`;
}

/** The redirect from the bank to the shop. Only the public material shows a parameter in it. */
export function bankReturnUrl(state: SimulatorState, returnUrl: string, paymentId: number): string {
  if (state.settings.profile !== 'public-docs') return returnUrl;
  return addQueryParameter(returnUrl, 'tndr_payment_id', String(paymentId));
}

/** The redirect after paying, with the session's id. */
export function successRedirect({ id, request }: Session): string {
  return addQueryParameter(request.success_url ?? request.return_url ?? '', 'session_id', id);
}

/** The redirect without payment; absent when the session has a `success_url` only. */
export function returnRedirect({ id, request }: Session): string | undefined {
  return request.return_url === undefined ? undefined : addQueryParameter(request.return_url, 'session_id', id);
}

/** Leaves the query of the address as it is. */
function addQueryParameter(address: string, name: string, value: string): string {
  const url = new URL(address);
  const addition = `${name}=${encodeURIComponent(value)}`;
  url.search = url.search === '' ? addition : `${url.search}&${addition}`;
  return url.href;
}
