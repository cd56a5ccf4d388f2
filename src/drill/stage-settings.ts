/** The settings of a drill's programs, as their environment holds them. */
import { randomBytes } from 'node:crypto';

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
    // Two spellings of one host, as the real service has two: each has its own breaker.
    PAYMENTS_BASE_URL: `http://127.0.0.1:${simulatorPort}`,
    CHECKOUT_API_URL: `http://localhost:${simulatorPort}`,
    TOKENIZER_URL: `http://localhost:${simulatorPort}/vault/v1/gateway/inboundRoutes/demo/token`,
    ATTEMPT_LIMITS: 'off',
    LOG_LEVEL: 'warn',
  };
}
