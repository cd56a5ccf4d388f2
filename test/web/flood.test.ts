import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseConfig } from '../../src/config.js';
import { createLog } from '../../src/log.js';
import { type Shop, startShop } from '../../src/start-shop.js';
import { type Simulator, startSimulator } from '../../tools/simulator/simulator.js';
import { PASSWORD } from '../support/admin.js';
import { Customer, readOrderPage, sessionIdOf } from '../support/customer.js';
import { temporaryDatabase } from '../support/temporary-database.js';
import { API_KEY, profileOfThisRun } from '../support/test-shop.js';

const CUSTOMERS = 20;
/** The limit of all customers together is 6,000 a minute, and the flood is far above it. */
const FLOOD = 6_500;
const FLOOD_WIDTH = 16;

/** A customer or an attacker with a source address of its own on the loopback network. */
function customerAt(shop: Pick<Shop, 'url'>, localAddress: string): Customer {
  const customer = new Customer(shop);
  const connections = new Agent({ localAddress });
  customer.agent.use((sent: { agent(agent: Agent): unknown }) => sent.agent(connections));
  return customer;
}

/** Posts forms without a cookie from one address, several at a time, until it is stopped. */
function startFlood(shop: Pick<Shop, 'url'>, localAddress: string) {
  const agent = new Agent({ localAddress, keepAlive: true, maxSockets: FLOOD_WIDTH });
  const statuses = new Map<number, number>();
  let sent = 0;
  let stopped = false;
  let onFlooded = () => {};
  const flooded = new Promise<void>((resolve) => {
    onFlooded = resolve;
  });
  const lane = async (): Promise<void> => {
    while (!stopped) {
      sent += 1;
      if (sent === FLOOD) onFlooded();
      const [path, body] =
        sent % 50 === 0
          ? ['/admin/sign-in', `password=guess-${sent}`]
          : ['/checkout/hosted', 'first_name=A&last_name=B&email=a%40example.com'];
      const status = await post(new URL(path, shop.url), body, agent);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  const lanes = Promise.all(Array.from({ length: FLOOD_WIDTH }, lane));
  const stop = async (): Promise<void> => {
    stopped = true;
    await lanes;
    agent.destroy();
  };
  return {
    statuses,
    flooded,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

function post(url: URL, body: string, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = {
      'Content-Type': 'application/x-www-form-urlencoded',
      'Content-Length': Buffer.byteLength(body),
    };
    const sent = request({
      host: '127.0.0.1',
      port: url.port,
      path: url.pathname,
      method: 'POST',
      agent,
      headers,
    });
    sent.on('response', (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
    });
    sent.on('error', reject).end(body);
  });
}

describe('while one address floods checkout and sign-in', () => {
  let directory: string;
  let database: Awaited<ReturnType<typeof temporaryDatabase>>;
  let simulator: Simulator;
  let shop: Shop;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'tianguis-'));
    database = await temporaryDatabase(directory);
    simulator = await startSimulator({ port: 0, apiKey: API_KEY, profile: profileOfThisRun() });
    const reading = parseConfig({
      PORT: '0',
      DATABASE_URL: database.url,
      PAYMENTS_BASE_URL: simulator.url,
      CHECKOUT_API_URL: simulator.url,
      PAYMENTS_API_KEY: API_KEY,
      ADMIN_PASSWORD: PASSWORD,
    });
    if (!reading.ok) throw new Error(reading.problems.join('\n'));
    const options = { clock: Date, log: createLog('silent'), dataDirectory: directory };
    shop = await startShop(reading.config, reading.secrets, options);
  });

  afterAll(async () => {
    await shop.close();
    await simulator.close();
    await database[Symbol.asyncDispose]();
    await rm(directory, { recursive: true });
  });

  /** From an empty cart to the page of the order; returns the state that the page shows. */
  async function buy(customer: Customer): Promise<string> {
    await customer.add();
    const redirect = await customer.payHosted();
    if (redirect.status !== 302) return `checkout answered ${redirect.status}`;
    const session = sessionIdOf(redirect.headers['location']);
    const { return_url = '' } = simulator.control.sessions().find(({ id }) => id === session)?.request ?? {};
    simulator.control.paySession(session);
    const back = await customer.get(new URL(return_url).pathname);
    return readOrderPage((await customer.get(back.headers['location'] ?? '/')).text).state;
  }

  test('twenty customers from other addresses buy, and the merchant signs in', async () => {
    await using flood = startFlood(shop, '127.0.0.66');
    await flood.flooded;

    const customers = Array.from({ length: CUSTOMERS }, (_, at) => customerAt(shop, `127.0.1.${at + 1}`));
    const states = await Promise.all(customers.map(buy));
    const merchant = customerAt(shop, '127.0.2.1');
    const signedIn = await merchant.post('/admin/sign-in', { password: PASSWORD });
    await flood.stop();

    expect(states).toEqual(customers.map(() => 'paid'));
    expect(signedIn.headers['location']).toBe('/admin');
    expect(Object.fromEntries(flood.statuses)).toEqual({ 401: 10, 409: 120, 429: expect.any(Number) });
  });
});
