import type { GatewayClient } from './gateway-client.js';

/** Tests one statement of the gateway's interface. Returns the differences. Rejects when the gateway does not answer. */
export type Clause = (gateway: GatewayClient) => Promise<readonly string[]>;

/**
 * Clauses by name. A name ends with its sections of docs/gateway-interface.md. `public`: a statement of the gateway's
 * public documents only.
 */
export type Clauses = Readonly<Record<string, Clause>>;
