import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import LibSql from 'libsql';
import type { Environment } from '../../../src/config/settings.js';
import { FLOW_IDS } from '../../../src/shop/rules/flows.js';
import { updateAdminUser } from '../../../src/tables/admin-users.js';
import { openDatabase } from '../../../src/tables/database.js';
import { Customer } from '../../../test/support/customer.js';
import { dumpDatabase } from '../../../test/support/inspect.js';
import { openFileShop } from '../../../test/support/shared-shop.js';
import { API_KEY, openTestShop, WEBHOOK_TOKEN } from '../../../test/support/test-shop.js';
import { formatReport } from '../report.js';
import { checkRunningShop, openProxy, problemsOf } from './support.js';

const MINUTE = 60_000;
const CLOSED_PORT = 'http://localhost:2';

const shop = await openFileShop();
const { control } = shop.simulator;
afterEach(() => control.clearFaults());

/** Returns the problems of one check. */
async function problems(check: string, changed: Environment = {}, input = {}): Promise<readonly string[]> {
  return problemsOf(await checkRunningShop(shop, changed, input), check);
}

test.each([...new Set([FLOW_IDS.join(), ...FLOW_IDS])])(
  'a running shop with PAYMENT_FLOWS=%s has no problem',
  async (flows) => {
    expect(problemsOf(await checkRunningShop(shop, { PAYMENT_FLOWS: flows }))).toEqual([]);
  },
);

test('a hosted page that CHECKOUT_PAGE_ORIGINS does not list is reported with its origin', async () => {
  await using own = await openTestShop();
  const url = 'https://page.example/checkout/cs_1';
  own.control.fault('create-session', { kind: 'rewrite', set: { url } }, 1);
  await (await Customer.withCart(own)).payHosted();
  const origins = [own.simulator.url, 'https://page.example'];

  const before = problemsOf(await checkRunningShop(own), 'refused payment page');
  const after = await checkRunningShop(own, { CHECKOUT_PAGE_ORIGINS: origins.join(',') });

  expect(before).toEqual([
    'refused payment page error A checkout failed because CHECKOUT_PAGE_ORIGINS does not list the origin of the payment page, https://page.example.',
  ]);
  expect(problemsOf(after, 'refused payment page')).toEqual([]);
});

test('in production an active manager without a second factor is a note, and one whose codes no part checks is an error', async () => {
  const { queries } = shop.context.checkout.db;
  const change = (totpSecret: string | null) => updateAdminUser(queries, 'admin', { totpSecret, updatedAt: 1 });

  const without = await problems('two-step verification', {}, { production: true, features: ['second-factor'] });
  await change('A'.repeat(32));
  const withSecret = await problems('two-step verification', {}, { production: true, features: ['second-factor'] });
  const removed = await problems('removed second factor', {}, { features: [] });
  await change(null);

  expect(without).toEqual(['two-step verification note Managers without two-step verification: admin.']);
  expect(removed).toEqual([
    'removed second factor error The feature second-factor is removed, and users have two-step verification: admin.',
  ]);
  expect(withSecret).toEqual([]);
});

test('a running shop is unchanged after the checks', async () => {
  const before = await dumpDatabase(shop);

  await checkRunningShop(shop);

  expect(await dumpDatabase(shop)).toBe(before);
  expect([control.sessions(), control.payments()]).toEqual([[], []]);
});

test('a running shop, a wrong key and a wrong URL are reported without a secret', async () => {
  const changed = { PAYMENTS_API_KEY: 'test_key_that_is_wrong', PUBLIC_URL: CLOSED_PORT };

  const report = formatReport([...(await checkRunningShop(shop)), ...(await checkRunningShop(shop, changed))]);

  expect(report).not.toMatch(/test_key_that_is_wrong/);
  for (const secret of [API_KEY, WEBHOOK_TOKEN, shop.environment['SESSION_SECRET']])
    expect(report).not.toContain(secret);
});

test('a refused key is reported for both URLs', async () => {
  const results = await checkRunningShop(shop, { PAYMENTS_API_KEY: 'test_key_that_is_wrong' });

  expect(problemsOf(results)).toEqual([
    'checkout gateway error The gateway at CHECKOUT_API_URL refuses PAYMENTS_API_KEY (401).',
    'payments gateway error The gateway at PAYMENTS_BASE_URL refuses PAYMENTS_API_KEY (401).',
  ]);
});

test('an unreachable gateway is reported with the reason', async () => {
  // A label of 64 letters is no host name, so that no name server is asked.
  const changed = { CHECKOUT_API_URL: CLOSED_PORT, PAYMENTS_BASE_URL: `http://${'n'.repeat(64)}.invalid` };

  const results = await checkRunningShop(shop, changed);

  expect(problemsOf(results, 'checkout gateway')).toEqual([
    'checkout gateway error CHECKOUT_API_URL cannot be used: connection refused.',
  ]);
  expect(problemsOf(results, 'clock')).toEqual([]);
  expect(problemsOf(results, 'payments gateway')).toEqual([
    'payments gateway error PAYMENTS_BASE_URL cannot be used: unknown host name.',
  ]);
});

test('the advice about programs that do not answer names the simulator in development only', async () => {
  const adviceOf = async (production: boolean) => {
    const addresses = { CHECKOUT_API_URL: CLOSED_PORT, PAYMENTS_BASE_URL: CLOSED_PORT, PUBLIC_URL: CLOSED_PORT };
    const results = await checkRunningShop(shop, { ...addresses, CHECKOUT_PAGE_ORIGINS: '' }, { production });
    return results.flatMap((result) => (result.level === 'ok' ? [] : result.fix)).join('\n');
  };

  expect(await adviceOf(false)).toContain('If you use the simulator, start it (npm start).');
  expect(await adviceOf(true)).not.toMatch(/npm start|start it|tunnel|test key/);
});

test.each([
  [{ kind: 'status', status: 503 }, /warning .*temporarily unavailable \(503\)/],
  [{ kind: 'redirect', location: '/' }, /error CHECKOUT_API_URL is not the gateway’s API/],
  [{ kind: 'raw', status: 404, body: '<p>', contentType: 'text/html' }, /error .* no JSON \(404\)/],
  [{ kind: 'status', status: 404 }, /warning CHECKOUT_API_URL answers a random key/],
] as const)('the gateway’s answer %j is reported as %s', async (fault, expected) => {
  control.fault('read-session', fault);

  expect(await problems('checkout gateway')).toEqual([expect.stringMatching(expected)]);
});

test.each([
  [30_000, /^clock warning This machine’s clock is [23]\d seconds behind the gateway’s/],
  [-5 * MINUTE, /^clock error This machine’s clock is (?:29|30)\d seconds ahead of the gateway’s/],
  [5 * MINUTE, /^clock error This machine’s clock is (?:29|30)\d seconds behind the gateway’s/],
])('a gateway clock %d ms ahead is reported as %s', async (ms, expected) => {
  control.advanceClock(ms);

  const reported = await problems('clock');
  control.advanceClock(-ms);

  expect(reported).toEqual([expect.stringMatching(expected)]);
});

const REFUSED = 'webhooks error The webhook address refuses the credential of WEBHOOK_AUTH (401).';

test.each(['bearer:another-token-of-a-shop', 'basic:shop:another-password', 'header:X-Key:another-value-here'])(
  'the credential %s, which the running shop does not have, is reported',
  async (auth) => {
    expect(await problems('webhooks', { WEBHOOK_AUTH: auth })).toEqual([REFUSED]);
  },
);

test('a running shop without authentication is reported, unless WEBHOOK_AUTH is none', async () => {
  await using open = await openTestShop({ env: { WEBHOOK_AUTH: 'none' } });
  const changed = { WEBHOOK_AUTH: `bearer:${WEBHOOK_TOKEN}` };

  expect(problemsOf(await checkRunningShop(open), 'webhooks')).toEqual([]);
  expect(problemsOf(await checkRunningShop(open, changed), 'webhooks')).toEqual([
    'webhooks error The webhook address accepts a wrong credential (400).',
  ]);
});

test('a PUBLIC_URL that cannot be reached is reported once', async () => {
  expect(problemsOf(await checkRunningShop(shop, { PUBLIC_URL: CLOSED_PORT }))).toEqual([
    'shop error PUBLIC_URL cannot be used: connection refused.',
  ]);
});

test('a PUBLIC_URL that the running shop does not have is reported', async () => {
  expect(await problems('cookies', { PUBLIC_URL: shop.url.replace('localhost', '127.0.0.1') })).toEqual([
    'cookies error The running shop refuses forms of PUBLIC_URL: it was started with another PUBLIC_URL.',
  ]);
});

test.each([
  ['replaces the header by an address', '1', () => '198.51.100.7', undefined],
  ['appends an address', '1', (sent: string) => `${sent}, 198.51.100.7`, undefined],
  ['sends a port', '1', () => '198.51.100.7:20001', /^client address note The proxy sends addresses with a port/],
  [
    'sends a port and IPv6',
    '1',
    () => '[2001:db8::7]:443',
    /^client address note The proxy sends addresses with a port/,
  ],
  ['sends no address', '1', () => '_hidden', /^client address error The proxy sends no readable address/],
  ['removes the header', '1', () => undefined, /^client address error .*the proxy sends no X-Forwarded-For/],
  ['passes the header of the client on', '1', (sent: string) => sent, /error The shop believes a forged/],
  ['is not trusted', '0', () => '198.51.100.7', /^client address error A proxy sends X-Forwarded-For .* is 0/],
])(
  'the doctor checks the client address of a proxy that %s, with TRUST_PROXY=%s',
  async (_, TRUST_PROXY, change, expected) => {
    await using own = await openTestShop({ env: { TRUST_PROXY } });
    await using proxy = await openProxy(own, {
      onRequest: (headers) => {
        headers['x-forwarded-for'] = change(String(headers['x-forwarded-for']));
        if (headers['x-forwarded-for'] === undefined) delete headers['x-forwarded-for'];
      },
    });

    const results = await checkRunningShop(own, { PUBLIC_URL: proxy.url });

    const reported = problemsOf(results, 'client address');
    expect(reported).toEqual(expected === undefined ? [] : [expect.stringMatching(expected)]);
  },
);

test('a proxy that changes cookies and Content-Security-Policy is reported', async () => {
  await using proxy = await openProxy(shop, {
    // The shop accepts forms of its own origin only. This test is about the response headers.
    onRequest: (headers) => {
      if (headers['origin']) headers['origin'] = shop.url;
    },
    onResponse: (headers) => {
      const cookies = [headers['set-cookie'] ?? []].flat();
      headers['set-cookie'] = cookies.map((cookie) => cookie.replace(/; (?:HttpOnly|SameSite=Lax)/g, ''));
      headers['content-security-policy'] = `${headers['content-security-policy']}, form-action 'self'`;
    },
  });

  expect(problemsOf(await checkRunningShop(shop, { PUBLIC_URL: proxy.url }))).toEqual([
    'cookies error Cookies arrive without HttpOnly and SameSite=Lax.',
    `content security policy error The Content-Security-Policy of the checkout page (form-action) blocks the payment page at ${shop.simulator.url}.`,
  ]);
});

test('a running shop with other payments than this program is reported', async () => {
  await using proxy = await openProxy(shop, {
    onResponse: (headers) => {
      if (headers['x-doctor-payments']) headers['x-doctor-payments'] = '0.9.0 (0123abcd)';
    },
  });

  expect(problemsOf(await checkRunningShop(shop, { PUBLIC_URL: proxy.url }), 'payments')).toEqual([
    expect.stringMatching(
      /^payments warning The running shop has the payments 0\.9\.0 \(0123abcd\), and this program has \d/,
    ),
  ]);
});

const fileUrl = (name: string) => `file:${join(shop.directory, name)}`;

test('a database that cannot be reached is reported once, without its password', async () => {
  const changed = { DATABASE_URL: 'postgres://shop:hunter22@localhost:2/shop' };

  const results = await checkRunningShop(shop, changed);

  expect(problemsOf(results)).toEqual(['database error DATABASE_URL cannot be used: connection refused.']);
  expect(JSON.stringify(results)).not.toContain('hunter22');
});

test('a connection pooler that refuses one connection and closes another is reported once, with its reason', async () => {
  const text = ['SFATAL', 'C08P01', 'Mno such database: shop', ''].map((field) => `${field}\0`).join('');
  const refusal = Buffer.concat([Buffer.from('E'), Buffer.alloc(4), Buffer.from(text)]);
  refusal.writeInt32BE(refusal.length - 1, 1);
  let connections = 0;
  const pooler = createServer((socket) => {
    connections += 1;
    if (connections === 1) socket.destroy();
    else socket.once('data', () => socket.end(refusal));
    socket.on('error', () => {});
  });
  await once(pooler.listen(0, 'localhost'), 'listening');
  const { port } = pooler.address() as AddressInfo;

  const results = await checkRunningShop(shop, { DATABASE_URL: `postgres://shop@localhost:${port}/shop` });
  pooler.close();

  expect(problemsOf(results)).toEqual(['database error DATABASE_URL cannot be used: PgBouncer has no such database.']);
});

test('missing migrations are reported and not run', async () => {
  const url = fileUrl('not-migrated.db');
  new LibSql(url.slice('file:'.length)).exec('create table other (id)');

  const [first] = await problems('database', { DATABASE_URL: url });
  const [second] = await problems('database', { DATABASE_URL: url });

  expect(first).toMatch(/^database warning The database lacks migrations: 0001-initial[,.]/);
  expect(second).toBe(first);
});

test('a failed write, a migration of a newer version, and one of another program are reported', async () => {
  const url = fileUrl('migrated.db');
  await using database = openDatabase(url, () => {});
  await database.migrate();
  await sql`create trigger refuse before insert on sessions begin select raise(abort, 'full'); end`.execute(
    database.queries,
  );
  expect(await problems('database', { DATABASE_URL: url })).toEqual([
    expect.stringMatching(/^database error The database can be read but not written \(SQLITE_CONSTRAINT/),
  ]);

  await sql`drop trigger refuse`.execute(database.queries);
  await sql`insert into kysely_migration (name, timestamp) values ('9999-later', '2030-01-01')`.execute(
    database.queries,
  );
  expect(await problems('database', { DATABASE_URL: url })).toEqual([
    'database warning The database has migrations of a newer version: 9999-later.',
  ]);

  await sql`delete from kysely_migration where name = '0001-initial'`.execute(database.queries);
  expect(await problems('database', { DATABASE_URL: url })).toEqual([
    'database error The database has unknown migrations (9999-later) and lacks 0001-initial.',
  ]);
});

const MAIL_FROM = 'Tienda <hola@tienda.example>';

test('an unreachable mail server and a refused password are reported', async () => {
  using refusing = await openSmtp('535 5.7.8 no');
  const unreachable = 'smtp://user:hunter22@localhost:2';

  expect(await problems('mail server', { MAIL_FROM, SMTP_URL: unreachable })).toEqual([
    'mail server error SMTP_URL cannot be used: no connection.',
  ]);
  expect(await problems('mail server', { MAIL_FROM, SMTP_URL: refusing.url })).toEqual([
    'mail server error SMTP_URL cannot be used: the server refuses the user or password.',
  ]);
});

test('a mail server that accepts the password is accepted, and a sender at localhost is reported', async () => {
  using accepting = await openSmtp('235 2.7.0 yes');

  const results = await checkRunningShop(shop, { SMTP_URL: accepting.url });

  expect(problemsOf(results)).toEqual(['mail sender warning MAIL_FROM is an address at localhost.']);
});

/** Starts an SMTP server that supports only the login. */
async function openSmtp(loginReply: string) {
  const server = createServer((socket) => {
    socket.write('220 mail.example\r\n');
    socket.on('error', () => socket.destroy());
    socket.on('data', (bytes) => {
      const [verb] = String(bytes).split(/\s/);
      if (verb === 'EHLO') socket.write('250-mail.example\r\n250 AUTH PLAIN\r\n');
      else if (verb === 'AUTH') socket.write(`${loginReply}\r\n`);
      else socket.end('221 bye\r\n');
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `smtp://user:hunter22@localhost:${port}`,
    [Symbol.dispose]() {
      server.close();
    },
  };
}
