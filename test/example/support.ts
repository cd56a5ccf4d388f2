/** The built program `examples/minimal` with its own simulator and an empty database. */
import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { simulatorSettings, startSimulator } from '@tianguis/gateway-tools';
import { openDatabaseOf } from '@tianguis/payments/database';
import { sharedBuild } from '../support/built-program.js';
import { until } from '../support/crowd.js';
import { Customer, contact } from '../support/customer.js';
import { freePort, Program } from '../support/programs.js';
import { temporaryDatabase } from '../support/temporary-database.js';

const API_KEY = 'test_key_of_this_example';
export const WEBHOOK_TOKEN = 'webhook-token-of-this-example';

interface ExampleOptions {
  /** The folder of the build. Default: that of the test run. */
  readonly home?: string;
  /** The host of the simulator's URL. */
  readonly host?: 'localhost' | '127.0.0.1';
}

/** Starts the program. `await using` stops it. */
export async function openExample({ home = sharedBuild(), host = 'localhost' }: ExampleOptions = {}) {
  const directory = await mkdtemp(join(tmpdir(), 'tianguis-example-'));
  const place = await temporaryDatabase(directory);
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const webhook = { url: `${url}/webhooks/payments`, auth: { scheme: 'bearer', token: WEBHOOK_TOKEN } } as const;
  const profile = simulatorSettings.shape.profile.default('interface').parse(process.env['SIMULATOR_PROFILE']);
  const simulator = await startSimulator({ port: 0, host, apiKey: API_KEY, webhook, profile });
  const settings = {
    PATH: process.env['PATH'] ?? '',
    PORT: String(port),
    PUBLIC_URL: url,
    DATABASE_URL: place.url,
    PAYMENTS_BASE_URL: simulator.url,
    CHECKOUT_API_URL: simulator.url,
    PAYMENTS_API_KEY: API_KEY,
    TOKENIZER_URL: `${simulator.url}/vault/v1/gateway/inboundRoutes/demo/token`,
    WEBHOOK_AUTH: `bearer:${WEBHOOK_TOKEN}`,
    // Each customer has an address.
    TRUST_PROXY: '1',
  };
  const script = join(home, 'dist/examples/minimal/main.js');
  const ready = { output: 'process.started' };
  const program = new Program({ name: 'example', script, folder: directory, env: settings, ready });
  await program.start();
  const database = openDatabaseOf<{ orders: Record<string, unknown> }>(place.url, {
    onError: () => {},
    migrations: [],
  });
  return {
    url,
    program,
    simulator,
    control: simulator.control,
    /** Returns the rows of all orders, oldest first. */
    orders: () => database.queries.selectFrom('orders').selectAll().orderBy('createdAt').orderBy('id').execute(),
    queries: database.queries,
    /** Returns a customer with one product in the cart. */
    async customer(productId = 'cafe') {
      const customer = customerAt(url, `198.51.${randomInt(256)}.${randomInt(256)}`);
      await add(customer, productId);
      return customer;
    },
    async [Symbol.asyncDispose]() {
      await program.kill();
      await database[Symbol.asyncDispose]();
      await simulator.close();
      await place[Symbol.asyncDispose]();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

export type Example = Awaited<ReturnType<typeof openExample>>;

/** Returns a customer without a cart. */
export function customerAt(url: string, address: string): Customer {
  const customer = new Customer({ url });
  customer.agent.set('X-Forwarded-For', address);
  return customer;
}

export async function add(customer: Customer, product_id: string, quantity = '1'): Promise<void> {
  const { status } = await customer.send('/cart/items', { product_id, quantity });
  if (status !== 303) throw new Error(`the cart answered ${status}`);
}

/** Posts the contact form. Returns the address to which the customer is sent, and the session in it. */
export async function startHosted(customer: Customer) {
  const { status, headers } = await customer.send('/checkout/hosted', contact);
  const location = headers['location'] ?? '';
  return { status, location, session: location.split('/').at(-1) ?? '' };
}

/** Posts the card form with tokens of this card. */
export function payByCard({ control }: Example, customer: Customer, card: string) {
  return customer.send('/checkout/card', { ...contact, ...control.tokenizeCard(card) });
}

/** Returns the path of the last order's page. */
export async function orderPath(example: Example): Promise<string> {
  const { token } = (await example.orders()).at(-1) ?? {};
  return `/orders/${token}`;
}

export async function readStatus(customer: Customer, path: string) {
  const { body } = await customer.get(`${path}/status`);
  return body as { readonly state: string; readonly safe_to_pay_again: boolean };
}

/** Waits until the order has this state. Each try asks the gateway, as the page of the order does. */
export async function untilState(customer: Customer, path: string, state: string): Promise<void> {
  await until(async () => (await readStatus(customer, path)).state === state, { withinMs: 30_000, everyMs: 100 });
}
