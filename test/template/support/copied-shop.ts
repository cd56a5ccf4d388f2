/** The built shop of a copy of the project, whose gateway is a simulator in this process. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { startSimulator } from '@tianguis/gateway-tools';
import { type Customer, sessionIdOf } from '../../support/customer.js';
import { freePort, Program } from '../../support/programs.js';
import { API_KEY, PASSWORD } from '../../support/test-shop.js';

export type CopiedShop = Awaited<ReturnType<typeof startCopiedShop>>;

/** Starts the built shop of the copy. Git ignores its folder. */
export async function startCopiedShop(copy: string, settings: Readonly<Record<string, string>> = {}) {
  const simulator = await startSimulator({ port: 0, host: 'localhost', apiKey: API_KEY, profile: 'interface' });
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const env = {
    ...{ PATH: process.env['PATH'] ?? '', LOG_LEVEL: 'warn', PORT: String(port), ADMIN_PASSWORD: PASSWORD },
    ...{ PAYMENTS_BASE_URL: simulator.url, CHECKOUT_API_URL: simulator.url, PAYMENTS_API_KEY: API_KEY },
    ...{ TOKENIZER_URL: `${simulator.url}/vault/v1/gateway/inboundRoutes/demo/token` },
    WEBHOOK_AUTH: `bearer:${randomUUID()}`,
    ...settings,
  };
  const [script, folder] = [join(copy, 'dist/src/main.js'), join(copy, 'data')];
  const program = new Program({ name: 'shop', script, folder, env, ready: { url: `${url}/readyz` } });
  await program.start();
  return {
    url,
    program,
    control: simulator.control,
    async [Symbol.asyncDispose]() {
      await program.kill();
      await simulator.close();
    },
  };
}

/** Pays on the hosted page, and returns the answer to the customer's return. */
export async function payByPage({ control }: CopiedShop, customer: Customer) {
  const session = sessionIdOf((await customer.payHosted()).headers['location']);
  control.paySession(session);
  const returnUrl = control.sessions().find(({ id }) => id === session)?.request.return_url ?? '';
  return customer.get(new URL(returnUrl).pathname);
}
