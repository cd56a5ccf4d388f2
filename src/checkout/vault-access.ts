import { GatewayError } from '../gateway/errors.js';
import type { CheckoutServices } from './services.js';

/** Returns a short-lived token for the browser's tokenizer call, or `undefined` if the gateway returned an error. */
export async function vaultAccess(services: CheckoutServices): Promise<string | undefined> {
  try {
    return await services.gateway.accessToken();
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    services.log.warn('vault_access_failed', { call: error.call, code: error.code, reason: error.reason });
    return undefined;
  }
}
