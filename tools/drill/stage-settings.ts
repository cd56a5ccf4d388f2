/** Environment variables of the drill's programs. */
import { randomBytes } from 'node:crypto';

/** Returns the settings of a simulator that sends its webhooks to the shop. */
export function simulatorSettings(port: number, shopPort: number): Record<string, string> {
  return {
    SIMULATOR_PORT: String(port),
    SIMULATOR_WEBHOOK_URL: `http://127.0.0.1:${shopPort}/webhooks/payments`,
  };
}

interface ShopSettings {
  readonly simulatorPort: number;
  readonly publicPort: number;
  readonly databaseUrl: string;
}

/** Returns the settings of a shop that uses the simulator as its gateway. */
export function shopSettings({
  simulatorPort,
  publicPort,
  databaseUrl,
}: ShopSettings): Record<string, string> & { readonly SESSION_SECRET: string } {
  return {
    HOST: '127.0.0.1',
    PUBLIC_URL: `http://localhost:${publicPort}`,
    DATABASE_URL: databaseUrl,
    SESSION_SECRET: randomBytes(32).toString('hex'),
    // Two names of one host, because the real gateway has two hosts. Each has its own circuit breaker.
    PAYMENTS_BASE_URL: `http://127.0.0.1:${simulatorPort}`,
    CHECKOUT_API_URL: `http://localhost:${simulatorPort}`,
    TOKENIZER_URL: `http://localhost:${simulatorPort}/vault/v1/gateway/inboundRoutes/demo/token`,
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'warn',
  };
}
