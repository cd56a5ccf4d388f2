import { mkdtempSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import LibSql from 'libsql';
import { openDatabase } from '../../../src/db/database.js';
import { API_KEY, openTestShop, WEBHOOK_TOKEN } from '../../../test/support/test-shop.js';
import { hasErrors, report } from '../report.js';
import { examineShop, fileDatabase, listen, openHealthyShop, openProxy, said, troubles } from './support.js';

const MINUTE = 60_000;
const NOBODY = 'http://localhost:2';

describe('a running development shop', () => {
  test('is healthy, and is the same afterwards', async () => {
    await using shop = await openHealthyShop();

    const findings = await examineShop(shop);

    const { queries } = shop.context.checkout.db;
    const rows = await Promise.all(
      (['inbox', 'sessions', 'carts', 'orders', 'attempts'] as const).map((table) =>
        queries.selectFrom(table).selectAll().execute(),
      ),
    );
    expect(troubles(findings)).toEqual([]);
    expect(findings.filter(({ level }) => level === 'ok').length).toBeGreaterThan(15);
    expect(hasErrors(findings)).toBe(false);
    expect(rows.flat()).toEqual([]);
    expect(shop.simulator.control.sessions()).toEqual([]);
    expect(shop.simulator.control.payments()).toEqual([]);
  });

  test.each([{ PAYMENT_FLOWS: 'hosted' }, { PAYMENT_FLOWS: 'card' }])(
    'that offers one way alone is healthy too: %j',
    async (env) => {
      await using shop = await openHealthyShop(env);

      expect(troubles(await examineShop(shop))).toEqual([]);
    },
  );

  test('is told without any secret, well or ill', async () => {
    await using shop = await openHealthyShop();

    const told = [
      report(await examineShop(shop)),
      report(await examineShop(shop, { PAYMENTS_API_KEY: 'test_key_that_is_wrong', PUBLIC_URL: NOBODY })),
    ].join('\n');

    expect(told).not.toContain(API_KEY);
    expect(told).not.toContain('test_key_that_is_wrong');
    expect(told).not.toContain(WEBHOOK_TOKEN);
    expect(told).not.toContain(shop.environment['SESSION_SECRET']);
  });
});

describe('the gateway', () => {
  const context = ['checkout service', 'payments service'];
  const about = async (shop: Awaited<ReturnType<typeof openHealthyShop>>, changed = {}) => {
    const findings = await examineShop(shop, changed);
    return context.flatMap((check) => troubles(said(findings, check)));
  };

  test('that refuses the key is told, with both addresses', async () => {
    await using shop = await openHealthyShop();

    expect(await about(shop, { PAYMENTS_API_KEY: 'test_key_that_is_wrong' })).toEqual([
      'checkout service error The gateway at CHECKOUT_API_URL refuses PAYMENTS_API_KEY (401).',
      'payments service error The gateway at PAYMENTS_BASE_URL refuses PAYMENTS_API_KEY (401).',
    ]);
  });

  test('that is away is told', async () => {
    await using shop = await openHealthyShop();

    expect(
      await about(shop, { CHECKOUT_API_URL: NOBODY, PAYMENTS_BASE_URL: 'http://nowhere.invalid' }),
    ).toEqual([
      'checkout service error The gateway at CHECKOUT_API_URL (localhost:2) cannot be reached: nothing listens there.',
      'payments service error The gateway at PAYMENTS_BASE_URL (nowhere.invalid) cannot be reached: its host name is not known.',
    ]);
  });

  test('that hangs holds nothing up for longer than it may', async () => {
    await using shop = await openHealthyShop();
    shop.simulator.control.fault('read-session', { kind: 'hang' });

    const findings = await examineShop(shop, {}, { patienceMs: 1_000 });

    expect(troubles(said(findings, 'checkout service'))).toEqual([
      expect.stringMatching(/^checkout service error .* cannot be reached: no answer came in time\.$/),
    ]);
  });

  test('in trouble, one that sends us elsewhere, and one that lets any key in are told apart', async () => {
    await using shop = await openHealthyShop();
    const { control } = shop.simulator;
    const whenIt = async (fault: Parameters<typeof control.fault>[1]) => {
      control.clearFaults();
      control.fault('read-session', fault);
      return (await about(shop))[0];
    };

    expect(await whenIt({ kind: 'status', status: 503 })).toMatch(
      /^checkout service warning .*in trouble \(503\)/,
    );
    expect(await whenIt({ kind: 'redirect', location: '/' })).toMatch(
      /error CHECKOUT_API_URL sends us elsewhere/,
    );
    expect(await whenIt({ kind: 'status', status: 404 })).toMatch(
      /warning CHECKOUT_API_URL answers a made-up key/,
    );
    expect(await whenIt({ kind: 'raw', status: 404, body: '<p>', contentType: 'text/html' })).toMatch(
      /error What answers at CHECKOUT_API_URL does not speak JSON/,
    );
  });

  test.each([
    [30_000, /^clock warning This machine’s clock is [23]\d seconds behind the gateway’s/],
    [-5 * MINUTE, /^clock error This machine’s clock is (?:29|30)\d seconds ahead of the gateway’s/],
    [45 * MINUTE, /^clock error .* behind the gateway’s/],
  ])('whose clock is %d ms ahead is told', async (ms, words) => {
    await using shop = await openHealthyShop();
    shop.simulator.control.advanceClock(ms);

    const [told] = troubles(said(await examineShop(shop), 'clock'));

    expect(told).toMatch(words);
  });

  test('so far ahead that no page could be opened is told for that', async () => {
    await using shop = await openHealthyShop();
    shop.simulator.control.advanceClock(45 * MINUTE);

    const [clock] = said(await examineShop(shop), 'clock');

    expect(clock).toMatchObject({ level: 'error', why: expect.stringContaining('it opens none') });
  });

  test('has a vault that is away, or lets nobody in', async () => {
    await using shop = await openHealthyShop();
    await using closed = await listen((_req, res) => res.writeHead(200).end());
    const about = async (url: string) =>
      troubles(said(await examineShop(shop, { TOKENIZER_URL: `${url}/token` }), 'vault'))[0];

    expect(await about(NOBODY)).toMatch(/^vault warning .*cannot be reached/);
    expect(await about(closed.url)).toMatch(/it lets no page of PUBLIC_URL in/);
  });

  test('without a card page needs no vault', async () => {
    await using shop = await openHealthyShop();

    const findings = await examineShop(shop, { TOKENIZER_URL: NOBODY, PAYMENT_FLOWS: 'hosted' });

    expect(said(findings, 'vault')).toMatchObject([
      { level: 'ok', what: expect.stringContaining('No card page') },
    ]);
  });
});

describe('the webhook address', () => {
  const about = async (shop: Awaited<ReturnType<typeof openHealthyShop>>, changed = {}) =>
    troubles(said(await examineShop(shop, changed), 'webhooks'));

  test.each([
    'bearer:another-token-altogether',
    'basic:shop:another-password-yet',
    'header:X-Key:another-value-yet',
  ])('of a shop with another credential than %s is told', async (auth) => {
    await using shop = await openHealthyShop();

    expect(await about(shop, { WEBHOOK_AUTH: auth })).toEqual([
      'webhooks error The webhook address refuses the credential of WEBHOOK_AUTH (401).',
    ]);
  });

  test.each(['basic:shop:a-password-of-this-shop', 'header:X-Key:a-value-of-this-shop', 'none'])(
    'of a shop with %s is in order',
    async (auth) => {
      await using shop = await openTestShop({ env: { WEBHOOK_AUTH: auth } });

      expect(said(await examineShop(shop), 'webhooks')).toMatchObject([{ level: 'ok' }]);
    },
  );

  test('that lets anybody in, or leads elsewhere, is told', async () => {
    await using open = await openTestShop({ env: { WEBHOOK_AUTH: 'none' } });
    await using elsewhere = await listen((_req, res) => res.writeHead(301, { Location: '/' }).end());

    expect(await about(open, { WEBHOOK_AUTH: `bearer:${WEBHOOK_TOKEN}` })).toEqual([
      'webhooks error The webhook address takes a made-up credential (400).',
    ]);
    expect(await about(open, { PUBLIC_URL: elsewhere.url })).toEqual([
      'webhooks error The webhook address answers as the shop would not (301).',
    ]);
  });

  test('behind a proxy that drops the credential is told', async () => {
    await using shop = await openHealthyShop();
    await using proxy = await openProxy(() => shop.url, {
      request: (headers) => delete headers['authorization'],
    });

    expect(await about(shop, { PUBLIC_URL: proxy.url })).toEqual([
      'webhooks error The webhook address refuses the credential of WEBHOOK_AUTH (401).',
    ]);
  });
});

describe('the address of the shop', () => {
  test('at which nothing answers is told, and everything that hangs on it', async () => {
    await using shop = await openHealthyShop();

    const told = troubles(await examineShop(shop, { PUBLIC_URL: NOBODY }));

    expect(told).toEqual([
      'shop error Nothing answers at PUBLIC_URL: nothing listens there.',
      'webhooks warning The webhook address under PUBLIC_URL cannot be reached: nothing listens there.',
      'cookies warning No cookie of the shop could be seen (nothing listens there).',
      'page policy warning The checkout page’s policy (CSP) could not be seen: nothing listens there.',
    ]);
  });

  test('that leads to another program, or to a shop with another address, is told', async () => {
    await using shop = await openHealthyShop();
    await using other = await listen((_req, res) => res.writeHead(200).end('hello'));
    const alias = shop.url.replace('localhost', '127.0.0.1');

    expect(troubles(said(await examineShop(shop, { PUBLIC_URL: other.url }), 'shop'))).toEqual([
      'shop error What answers at PUBLIC_URL is not this shop (200 at /healthz).',
    ]);
    expect(troubles(said(await examineShop(shop, { PUBLIC_URL: alias }), 'cookies'))).toEqual([
      'cookies error The running shop takes no forms from PUBLIC_URL: it was started with another one.',
    ]);
  });

  test('of a shop without its database is told', async () => {
    await using shop = await openHealthyShop();
    await using closed = await listen((req, res) => {
      res.writeHead(req.url === '/readyz' ? 503 : 200).end('ok');
    });

    expect(troubles(said(await examineShop(shop, { PUBLIC_URL: closed.url }), 'shop'))).toEqual([
      'shop error The shop runs and cannot take orders (/readyz).',
    ]);
  });

  test('behind a proxy that changes cookies and policy is told', async () => {
    await using shop = await openHealthyShop();
    await using proxy = await openProxy(() => shop.url, {
      // The shop expects its own origin. This test is about the response headers.
      request: (headers) => {
        if (headers['origin']) headers['origin'] = shop.url;
      },
      response: (headers) => {
        headers['set-cookie'] =
          (headers['set-cookie'] as string[] | undefined)?.map((line) =>
            line.replace(/; (?:HttpOnly|SameSite=Lax)/g, ''),
          ) ?? [];
        headers['content-security-policy'] = `${headers['content-security-policy']}, form-action 'self'`;
        headers['via'] = '1.1 one, 1.1 two';
      },
    });
    const findings = await examineShop(shop, { PUBLIC_URL: proxy.url, TRUST_PROXY: '1' });

    expect(troubles(findings)).toEqual(
      expect.arrayContaining([
        'cookies error Cookies arrive without HttpOnly and SameSite=Lax.',
        `page policy error The checkout page’s policy (CSP form-action) bars the payment page at ${shop.simulator.url}.`,
        'proxies warning TRUST_PROXY is 1, and 2 proxies name themselves (Via).',
      ]),
    );
  });

  test('with proxies other than TRUST_PROXY says is told', async () => {
    await using shop = await openHealthyShop();
    await using proxy = await openProxy(() => shop.url, {
      response: (headers) => {
        headers['server'] = 'nginx';
      },
    });
    const about = async (changed: Record<string, string>) =>
      troubles(said(await examineShop(shop, changed), 'proxies'))[0];

    expect(await about({ PUBLIC_URL: proxy.url })).toBe(
      'proxies warning TRUST_PROXY is 0, and a proxy is there: the answer carries server.',
    );
    expect(await about({ PUBLIC_URL: proxy.url, TRUST_PROXY: '1' })).toBe(
      'proxies note TRUST_PROXY is 1: whether it is exact cannot be told from here.',
    );
    expect(await about({ TRUST_PROXY: '1' })).toBe('proxies warning TRUST_PROXY is 1, and no proxy is seen.');
    expect(await about({ PUBLIC_URL: 'https://localhost:2' })).toBe(
      'proxies warning TRUST_PROXY is 0, and a proxy is there: PUBLIC_URL is https.',
    );
  });
});

describe('the database', () => {
  const about = async (shop: Awaited<ReturnType<typeof openHealthyShop>>, url: string) =>
    troubles(said(await examineShop(shop, { DATABASE_URL: url }), 'database'))[0];

  test('that is not migrated is told, and is not migrated afterwards', async () => {
    await using shop = await openHealthyShop();
    const file = fileDatabase(shop);
    new LibSql(file.slice('file:'.length)).exec('create table other (id)');

    const told = await about(shop, file);
    const again = await about(shop, file);

    expect(told).toMatch(/^database warning The database lacks a step: 0001-initial\./);
    expect(again).toBe(told);
  });

  test('that is newer than this program is told', async () => {
    await using shop = await openHealthyShop();
    const file = fileDatabase(shop);
    await using database = openDatabase(file, () => {});
    await database.migrate();
    await sql`insert into kysely_migration (name, timestamp) values ('9999-later', '2030-01-01T00:00:00.000Z')`.execute(
      database.queries,
    );

    expect(await about(shop, file)).toBe(
      'database error The database is newer than this program: 9999-later.',
    );
  });

  test('that another program holds is told in time', async () => {
    await using shop = await openHealthyShop();
    const file = fileDatabase(shop);
    await using database = openDatabase(file, () => {});
    await database.migrate();
    const other = new LibSql(file.slice('file:'.length));
    other.exec('begin immediate');

    const told = await about(shop, file);
    other.exec('rollback');
    other.close();

    expect(told).toBe('database error The database can be read and not written to (SQLITE_BUSY).');
    expect(await about(shop, file)).toBeUndefined();
  });

  test('that is no database, or a server that is away, is told', async () => {
    await using shop = await openHealthyShop();
    writeFileSync(join(shop.directory, 'no.db'), 'This is a text and no database at all.'.repeat(40));

    expect(await about(shop, fileDatabase(shop, 'no.db'))).toBe(
      'database error The database cannot be opened (SQLITE_NOTADB).',
    );
    expect(await about(shop, 'postgres://user:hunter22@localhost:2/shop')).toBe(
      'database error The database cannot be opened (nothing listens there).',
    );
  });
});

describe('the mail', () => {
  const about = async (
    shop: Awaited<ReturnType<typeof openHealthyShop>>,
    changed: Record<string, string>,
    place = {},
  ) => troubles(said(await examineShop(shop, changed, place), 'mail'));

  test('whose server is away, refuses the password or takes it is told', async () => {
    await using shop = await openHealthyShop();
    await using refusing = await openSmtp('535 5.7.8 no');
    await using willing = await openSmtp('235 2.7.0 yes');
    const sender = { MAIL_FROM: 'Tienda <hola@tienda.example>' };

    expect(await about(shop, { ...sender, SMTP_URL: 'smtp://user:hunter22@localhost:2' })).toEqual([
      'mail error The mail server of SMTP_URL takes no mail: no connection came about.',
    ]);
    expect(await about(shop, { ...sender, SMTP_URL: refusing.url })).toEqual([
      'mail error The mail server refuses the user or password of SMTP_URL.',
    ]);
    expect(await about(shop, { ...sender, SMTP_URL: willing.url })).toEqual([]);
    expect(await about(shop, { SMTP_URL: willing.url })).toEqual([
      'mail warning MAIL_FROM is an address at localhost.',
    ]);
  });

  test('that cannot be written to its folder is told', async () => {
    await using shop = await openHealthyShop();
    const folder = mkdtempSync(join(shop.directory, 'data-'));
    writeFileSync(join(folder, 'mail'), 'a file in the way');

    expect(await about(shop, {}, { dataDirectory: folder })).toEqual([
      `mail error Receipts are written to ${folder}/mail, and nothing can be written there.`,
    ]);
  });
});

/** Starts an SMTP server that supports only the greeting. */
async function openSmtp(verdict: string): Promise<{ readonly url: string } & AsyncDisposable> {
  const server = createServer((socket) => {
    socket.write('220 mail.example\r\n');
    socket.on('error', () => socket.destroy());
    socket.on('data', (bytes) => {
      const [verb] = String(bytes).split(/\s/);
      if (verb === 'EHLO') socket.write('250-mail.example\r\n250 AUTH PLAIN\r\n');
      else if (verb === 'AUTH') socket.write(`${verdict}\r\n`);
      else socket.end('221 bye\r\n');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `smtp://user:hunter22@localhost:${port}`,
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
