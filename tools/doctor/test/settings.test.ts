import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { settingsSchema } from '../../../src/settings.js';
import { hasErrors, report } from '../report.js';
import { SETTING_HELP } from '../setting-help.js';
import { type Environment, evaluatePayment, PRODUCTION, said, troubles } from './support.js';

describe('settings that nothing is wrong with', () => {
  test('a fresh development shop is healthy', async () => {
    const findings = await evaluatePayment({});

    expect(troubles(findings)).toEqual(['database note The database file is not there yet.']);
    expect(hasErrors(findings)).toBe(false);
  });

  test('so is a production shop with everything of its own, but for its mail', async () => {
    const findings = await evaluatePayment(PRODUCTION);

    expect(troubles(findings)).toEqual([
      'database note The database file is not there yet.',
      'mail warning SMTP_URL is not set: receipts are written to data/mail.',
    ]);
  });
});

describe('settings that cannot be read', () => {
  test('are each told by name, with why and how to mend, and end the examination', async () => {
    const findings = await evaluatePayment({ PORT: 'eighty', PAYMENTS_API_KEY: 'hunter2' });

    expect(troubles(findings)).toEqual([
      'settings error PORT must be a whole number.',
      'settings error PAYMENTS_API_KEY must be 8 or more printable characters without blanks.',
      'settings note Nothing else was looked at.',
    ]);
    expect(findings[0]).toMatchObject(SETTING_HELP.PORT);
    expect(JSON.stringify(findings)).not.toMatch(/hunter2|eighty/);
  });

  test('as production are judged with --production, and the rest is looked at all the same', async () => {
    const findings = await evaluatePayment({}, { production: true });

    expect(troubles(findings)).toEqual(
      expect.arrayContaining([
        'settings error SESSION_SECRET is needed in production.',
        'settings error PUBLIC_URL must be https in production.',
        'public address error PUBLIC_URL names this very machine.',
      ]),
    );
    expect(said(findings, 'limits')).toHaveLength(2);
  });

  test('have help for every setting', () => {
    expect(new Set(Object.keys(SETTING_HELP))).toEqual(new Set(Object.keys(settingsSchema.shape)));
  });
});

/** Each entry: a change of a valid production environment, the check that reports it, and the expected text. */
const FLAWS: readonly (readonly [Environment, string, RegExp])[] = [
  [
    { NODE_ENV: '', PAYMENTS_API_KEY: 'sk_test_5f0c9a7be21d44c8' },
    'keys',
    /^error .*test key, and the addresses are live/,
  ],
  [{ CHECKOUT_API_URL: 'http://localhost:4100', NODE_ENV: '' }, 'keys', /^error .*different environments/],
  [
    {
      NODE_ENV: '',
      PAYMENTS_BASE_URL: 'https://stage.pay.example',
      CHECKOUT_API_URL: 'https://api-stage.pay.example',
      TOKENIZER_URL: 'https://token-sandbox.pay.example/token',
    },
    'keys',
    /^error .*live key, and the addresses are not live/,
  ],
  [
    { NODE_ENV: '', PAYMENTS_API_KEY: '5f0c9a7be21d44c8aa01' },
    'keys',
    /^warning .*live ones, and this is no production/,
  ],
  [{ PAYMENTS_API_KEY: '5f0c9a7be21d44c8aa01' }, 'keys', /^note .*does not say whether/],
  [{ PAYMENTS_SIGNING_SECRET: '' }, 'keys', /^note Card payments are not signed/],
  [{ NODE_ENV: '', WEBHOOK_AUTH: 'bearer:Zx81kQpL' }, 'secrets', /^warning WEBHOOK_AUTH is short/],
  [
    { NODE_ENV: '', WEBHOOK_AUTH: 'header:X-Api-Key:abababababababababab' },
    'secrets',
    /^warning WEBHOOK_AUTH is easy to guess/,
  ],
  [{ WEBHOOK_AUTH: 'none' }, 'secrets', /^error WEBHOOK_AUTH is none/],
  [{ NODE_ENV: '', WEBHOOK_AUTH: '' }, 'secrets', /^warning WEBHOOK_AUTH is not set/],
  [{ NODE_ENV: '', WEBHOOK_AUTH: 'bearer:changeme' }, 'secrets', /^warning WEBHOOK_AUTH is an example/],
  [{ ADMIN_PASSWORD: '' }, 'secrets', /^note ADMIN_PASSWORD is not set/],
  [{ ADMIN_PASSWORD: 'Tianguis2026!' }, 'secrets', /^warning ADMIN_PASSWORD begins with a word/],
  [{ ADMIN_PASSWORD: 'aaaabbbbccccddddee' }, 'secrets', /^warning ADMIN_PASSWORD repeats few/],
  [
    { ADMIN_PASSWORD: 'Zx81kQpL0v7RtY3n' },
    'secrets',
    /^warning WEBHOOK_AUTH and ADMIN_PASSWORD are the same/,
  ],
  [{ PUBLIC_URL: 'https://localhost' }, 'public address', /^error PUBLIC_URL names this very machine/],
  [{ NODE_ENV: '', PUBLIC_URL: 'http://localhost:3000' }, 'public address', /^warning PUBLIC_URL names this/],
  [
    { NODE_ENV: '', PUBLIC_URL: 'http://tienda.example' },
    'public address',
    /^warning PUBLIC_URL is plain http/,
  ],
  [{ CHECKOUT_PAGE_ORIGINS: '' }, 'payment page', /^warning CHECKOUT_PAGE_ORIGINS is not set/],
  [
    { NODE_ENV: '', CHECKOUT_PAGE_ORIGINS: 'http://page.pay.example' },
    'payment page',
    /^error The payment page at http:\/\/page.pay.example is plain http/,
  ],
  [{ NODE_ENV: '', RATE_LIMIT: 'off' }, 'limits', /^warning RATE_LIMIT is off/],
  [{ ORDER_TTL_MINUTES: '1440' }, 'limits', /^note A payment page may be paid for 24 hours/],
  [{ ORDER_TTL_MINUTES: '30' }, 'limits', /^note .*the shortest time/],
  [
    { DATABASE_URL: 'file:package.json/shop.db' },
    'database',
    /^error The database file is not there and cannot/,
  ],
];

describe('a flaw in the settings', () => {
  test.each(FLAWS)('%j is told by: %s', async (changed, check, words) => {
    const findings = await evaluatePayment({ ...PRODUCTION, ...changed });

    const told = said(findings, check).map(({ level, what }) => `${level} ${what}`);
    expect(told.filter((line) => words.test(line))).toHaveLength(1);
  });

  test('is worse where real money moves', async () => {
    const strict = await evaluatePayment({ WEBHOOK_AUTH: 'none' }, { production: true });
    const mild = await evaluatePayment({ WEBHOOK_AUTH: 'none' });

    expect(said(strict, 'secrets')[0]?.level).toBe('error');
    expect(said(mild, 'secrets')[0]?.level).toBe('warning');
  });

  test('never shows a secret, whatever is wrong', async () => {
    for (const [changed] of FLAWS) {
      const environment: Environment = { ...PRODUCTION, ...changed };
      const told = report(await evaluatePayment(environment, { production: true }));
      for (const name of ['SESSION_SECRET', 'PAYMENTS_API_KEY', 'PAYMENTS_SIGNING_SECRET', 'ADMIN_PASSWORD'])
        if (environment[name]) expect(told).not.toContain(environment[name]);
      expect(told).not.toContain('Zx81kQpL');
    }
  });
});

describe('what production refuses', () => {
  test.each([
    ['WEBHOOK_AUTH', 'bearer:changeme'],
    ['WEBHOOK_AUTH', 'bearer:Zx81kQpL'],
    ['ADMIN_PASSWORD', 'aaaabbbbccccdddd'],
    ['PAYMENTS_API_KEY', 'sk_test_5f0c9a7be21d44c8'],
    ['PUBLIC_URL', 'http://tienda.example'],
    ['RATE_LIMIT', 'off'],
  ])('is told once: %s', async (name, value) => {
    const told = troubles(
      await evaluatePayment({ ...PRODUCTION, NODE_ENV: '', [name]: value }, { production: true }),
    );

    expect(told.filter((line) => line.includes(name))).toEqual([expect.stringMatching(/^settings error /)]);
  });
});

describe('the files of settings', () => {
  let folder: string;
  const write = (name: string, text: string, mode = 0o600) =>
    writeFileSync(join(folder, name), text, { mode });

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'tianguis-settings-'));
  });

  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  test('an example file with a secret in use, a mistyped name and a file for all to read are told', async () => {
    write('.env.example', `PORT=3000\nPAYMENTS_API_KEY=${PRODUCTION.PAYMENTS_API_KEY}\n`);
    write('.env', 'PAYMENT_API_KEY=x\nSIMULATOR_PORT=1\nPORT=3000\n', 0o644);

    const findings = await evaluatePayment(PRODUCTION, { projectDirectory: folder });

    expect(troubles(said(findings, 'setting files'))).toEqual([
      'setting files error .env.example holds a value of PAYMENTS_API_KEY, the very one in use.',
      'setting files warning .env has names that the shop does not know: PAYMENT_API_KEY.',
      'setting files warning .env can be read by other users of this machine.',
    ]);
  });

  test('the project’s own example file is in order', async () => {
    const findings = await evaluatePayment({}, { projectDirectory: '.' });

    expect(said(findings, 'setting files')[0]?.level).not.toBe('error');
  });
});
