import { GatewayError } from '../../gateway/errors.js';
import type { CheckoutContext } from '../context.js';

/** Returns a short-lived token for the browser's tokenizer call, or `undefined` if the gateway returned an error. */
export async function tokenizerAccess(context: CheckoutContext): Promise<string | undefined> {
  try {
    return await context.gateway.accessToken();
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    context.log.warn('tokenizer_access.failed', { call: error.call, code: error.code, reason: error.reason });
    return undefined;
  }
}
