import { GatewayError } from '../gateway/gateway-error.js';
import type { CheckoutServices } from './services.js';

/** A short-lived token with which a browser may hand card data to the vault; `undefined` when the service has none. */
export async function vaultAccess(services: CheckoutServices): Promise<string | undefined> {
  try {
    return await services.gateway.accessToken();
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    services.log.warn('vault_access_failed', { call: error.call, code: error.code, reason: error.reason });
    return undefined;
  }
}
