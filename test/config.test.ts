import { randomBytes, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'dotenv';
import { type ConfigResult, parseConfig } from '../src/config.js';
import { SIMULATOR, settingsSchema } from '../src/settings.js';
import { envExample } from '../tools/dev/env-example.js';

const MINUTE = 60_000;

/** A production environment that nothing is wrong with. */
const production = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://tienda.example',
  SESSION_SECRET: 'kq3vN8sXw1Zt5yB7uD0fHj2LmR4pG6cA9eQ',
  PAYMENTS_BASE_URL: 'https://app.pay.example',
  CHECKOUT_API_URL: 'https://api.pay.example',
  PAYMENTS_API_KEY: 'live_5f0c9a7be21d',
  TOKENIZER_URL: 'https://token.pay.example/v1/route/token',
  WEBHOOK_AUTH: 'bearer:Zx81kQpL0v7RtY3n',
  TRUST_PROXY: '0',
};

type Environment = Readonly<Record<string, string | undefined>>;

function config(environment: Environment = {}) {
  const reading = parseConfig(environment);
  if (!reading.ok) throw new Error(reading.problems.join('\n'));
  return reading;
}

function problems(environment: Environment): readonly string[] {
  const reading: ConfigResult = parseConfig(environment);
  return reading.ok ? [] : reading.problems;
}

/** The names of the settings that something is wrong with. */
const wrong = (environment: Environment) => [
  ...new Set(problems(environment).map((problem) => problem.slice(0, problem.indexOf(':')))),
];

test('a shop without a public address is on this machine, at the port where it listens', () => {
  const reading = parseConfig({ PORT: '3300' });

  expect(reading.ok && reading.config.publicUrl).toBe('http://localhost:3300');
});

describe('with nothing set', () => {
  test('but the simulator’s port, the shop asks it there', () => {
    const { payments } = config({ SIMULATOR_PORT: '4001' }).config;

    expect(payments).toMatchObject({ simulated: true, baseUrl: 'http://localhost:4001' });
    expect(payments.checkoutApiUrl).toBe('http://localhost:4001');
    expect(payments.tokenizerUrl).toBe(`http://localhost:4001${SIMULATOR.tokenizerPath}`);
  });

  test('the shop is a development shop on its own simulator', () => {
    expect(config().config).toEqual({
      production: false,
      host: '127.0.0.1',
      port: 3000,
      publicUrl: 'http://localhost:3000',
      databaseUrl: 'file:./data/tianguis.db',
      payments: {
        simulated: true,
        baseUrl: 'http://localhost:4000',
        checkoutApiUrl: 'http://localhost:4000',
        pageOrigins: ['http://localhost:4000'],
        tokenizerUrl: `http://localhost:4000${SIMULATOR.tokenizerPath}`,
        signingText: 'ascii',
      },
      paymentFlows: ['hosted', 'card'],
      orderTtlMs: 60 * MINUTE,
      lameDuckMs: 0,
      mailFrom: 'Tianguis <tienda@localhost>',
      trustProxy: 0,
      hstsIncludeSubdomains: false,
      rateLimit: true,
      logLevel: 'info',
      locales: ['es-MX', 'en'],
    });
    expect(config().secrets).toEqual({
      apiKey: SIMULATOR.apiKey,
      webhookAuth: { scheme: 'bearer', token: 'simulator-webhook-secret' },
    });
  });

  test('an empty value is as good as none, for every setting', () => {
    const empty = Object.fromEntries(Object.keys(settingsSchema.shape).map((name) => [name, '']));

    expect(config(empty)).toEqual(config());
  });

  test.each([
    ['es-MX,en', '', ['es-MX', 'en']],
    ['en es-MX en', '', ['en', 'es-MX']],
    ['', 'en', ['en', 'es-MX']],
    ['es-MX, en', 'en', ['en', 'es-MX']],
    ['es-MX', '', ['es-MX']],
    ['en', 'en', ['en']],
  ])('LOCALES=%s with DEFAULT_LOCALE=%s: the default comes first', (LOCALES, DEFAULT_LOCALE, expected) => {
    expect(config({ LOCALES, DEFAULT_LOCALE }).config.locales).toEqual(expected);
  });

  test('a default that the shop does not speak is refused', () => {
    expect(wrong({ LOCALES: 'es-MX', DEFAULT_LOCALE: 'en' })).toEqual(['DEFAULT_LOCALE']);
  });

  test('what is not a setting is left alone', () => {
    expect(config({ PATH: '/bin', __proto__x: '1', toString: 'x' })).toEqual(config());
  });
});

describe('in production', () => {
  test('a shop with everything of its own starts, on every address of the machine', () => {
    const { config: settled, secrets } = config(production);

    expect(settled).toMatchObject({
      production: true,
      host: '0.0.0.0',
      payments: { simulated: false, pageOrigins: ['https://api.pay.example'] },
    });
    expect(secrets).toEqual({
      apiKey: production.PAYMENTS_API_KEY,
      sessionSecret: production.SESSION_SECRET,
      webhookAuth: { scheme: 'bearer', token: 'Zx81kQpL0v7RtY3n' },
    });
  });

  test('nothing set is refused, with every name that is needed', () => {
    expect(new Set(wrong({ NODE_ENV: 'production' }))).toEqual(
      new Set([
        'CHECKOUT_API_URL',
        'PAYMENTS_API_KEY',
        'PAYMENTS_BASE_URL',
        'PUBLIC_URL',
        'SESSION_SECRET',
        'TOKENIZER_URL',
        'TRUST_PROXY',
        'WEBHOOK_AUTH',
      ]),
    );
  });

  test.each(Object.keys(production).filter((name) => name !== 'NODE_ENV'))(
    'it is refused without %s',
    (name) => {
      expect(wrong({ ...production, [name]: '' })).toEqual([name]);
    },
  );

  test.each([
    ['PUBLIC_URL', 'http://tienda.example'],
    ['PAYMENTS_BASE_URL', 'http://app.pay.example'],
    ['PAYMENTS_BASE_URL', 'HTTP://app.pay.example'],
    ['CHECKOUT_API_URL', 'http://api.pay.example'],
    ['TOKENIZER_URL', 'http://token.pay.example/token'],
    ['CHECKOUT_PAGE_ORIGINS', 'https://pay.example http://pay.example'],
  ])('plain http is refused in %s: %s', (name, value) => {
    expect(problems({ ...production, [name]: value })).toEqual([`${name}: must be https in production`]);
  });

  test.each([
    ['PAYMENTS_BASE_URL', 'https://stage.pay.example'],
    ['PAYMENTS_BASE_URL', 'https://SANDBOX.pay.example'],
    ['CHECKOUT_API_URL', 'https://api-stage.pay.example'],
    ['CHECKOUT_API_URL', 'https://test-api.pay.example'],
    ['TOKENIZER_URL', 'https://token-sandbox.pay.example/token'],
    ['CHECKOUT_PAGE_ORIGINS', 'https://stage-page.pay.example'],
  ])('a test address is refused in %s: %s', (name, value) => {
    expect(wrong({ ...production, [name]: value })).toEqual([name]);
  });

  test.each(['https://contest.pay.example', 'https://latest.example', 'https://backstage.example'])(
    'an address that only sounds like one is taken: %s',
    (address) => {
      expect(problems({ ...production, PAYMENTS_BASE_URL: address })).toEqual([]);
    },
  );

  test.each([
    ['SESSION_SECRET', 'changeme-changeme-changeme-changeme'],
    ['SESSION_SECRET', 'keyboard cat keyboard cat keyboard cat'],
    ['SESSION_SECRET', 'SECRET-secret-secret-secret-secret-secret'],
    ['SESSION_SECRET', 'replace this by 32 bytes of your own, please'],
    ['PAYMENTS_API_KEY', 'test_simulator_key'],
    ['PAYMENTS_API_KEY', 'changeme'],
    ['PAYMENTS_SIGNING_SECRET', 'example-secret'],
    ['WEBHOOK_AUTH', 'bearer:simulator-webhook-secret'],
    ['WEBHOOK_AUTH', 'bearer:changeme'],
    ['WEBHOOK_AUTH', 'basic:merchant:secret'],
  ])('an example is refused as %s: %s', (name, value) => {
    expect(problems({ ...production, [name]: value })).toEqual([
      `${name}: is an example; make one of your own`,
    ]);
  });

  test.each([
    ['SESSION_SECRET', 'a'.repeat(64)],
    ['SESSION_SECRET', 'abcd1'.repeat(8)],
    ['SESSION_SECRET', 'tienda-mx-'.repeat(4).slice(0, 33)],
    ['SESSION_SECRET', '1234567890'.repeat(4)],
    ['SESSION_SECRET', '123456-and-then-some-other-characters'],
    ['SESSION_SECRET', '0123456789abcdef0123456789abcdef'],
    ['SESSION_SECRET', 'zyxwvutsrqponmlkjihgfedcba9876543210'],
    ['PAYMENTS_API_KEY', 'xxxxxxxx'],
    ['PAYMENTS_API_KEY', '12345678'],
    ['PAYMENTS_SIGNING_SECRET', '12121212'],
    ['WEBHOOK_AUTH', 'header:X-API-Key:aaaaaaaa'],
    ['WEBHOOK_AUTH', 'bearer:1234567890123456'],
    ['WEBHOOK_AUTH', 'basic:merchant:abcabcabcabcabcabc'],
    ['ADMIN_PASSWORD', '123456789012'],
    ['ADMIN_PASSWORD', 'aaaaaaaaaaab'],
    ['METRICS_TOKEN', '0101010101010101'],
  ])('a repeated pattern or a sequence is refused as %s: %s', (name, value) => {
    expect(problems({ ...production, [name]: value })).toEqual([
      `${name}: is easy to guess; make one of your own`,
    ]);
  });

  test.each(['bearer:Zx81kQpL0v7RtY3', 'basic:merchant:Zx81kQpL0v7RtY3', 'header:X-Key:Zx81kQpL0v7RtY3'])(
    'a webhook secret of 15 characters is refused: %s',
    (value) => {
      expect(problems({ ...production, WEBHOOK_AUTH: value })).toEqual([
        'WEBHOOK_AUTH: must hold 16 characters at least in production',
      ]);
      expect(problems({ ...production, WEBHOOK_AUTH: `${value}n` })).toEqual([]);
    },
  );

  test('random secrets of every usual form are taken', () => {
    for (let round = 0; round < 500; round += 1) {
      const taken = {
        SESSION_SECRET: randomBytes(48).toString('base64'),
        PAYMENTS_API_KEY: randomUUID(),
        WEBHOOK_AUTH: `bearer:${randomBytes(24).toString('hex')}`,
        METRICS_TOKEN: randomBytes(12).toString('hex'),
        ADMIN_PASSWORD: randomBytes(9).toString('base64url'),
      };
      expect(problems({ ...production, ...taken })).toEqual([]);
    }
  });

  test.each(['test_5f0c9a7be21d44c8', 'sk-sandbox-5f0c9a7be21d44c8'])(
    'a test key with live addresses is refused: %s',
    (key) => {
      expect(problems({ ...production, PAYMENTS_API_KEY: key })).toEqual([
        'PAYMENTS_API_KEY: is a test key, and the addresses are live',
      ]);
    },
  );

  test('the limits on attempts cannot be switched off', () => {
    expect(wrong({ ...production, RATE_LIMIT: 'off' })).toEqual(['RATE_LIMIT']);
    expect(config({ RATE_LIMIT: 'off' }).config.rateLimit).toBe(false);
  });

  test('webhooks may be open to anyone when that is said out loud', () => {
    expect(config({ ...production, WEBHOOK_AUTH: 'none' }).secrets.webhookAuth).toEqual({ scheme: 'none' });
  });
});

describe('the payment service', () => {
  const whole = {
    PAYMENTS_BASE_URL: 'https://app.pay.example/',
    CHECKOUT_API_URL: 'https://api.pay.example//',
    PAYMENTS_API_KEY: 'key_12345678',
  };

  test('is taken whole, without slashes at the end', () => {
    expect(config(whole).config.payments).toMatchObject({
      simulated: false,
      baseUrl: 'https://app.pay.example',
      checkoutApiUrl: 'https://api.pay.example',
    });
    expect(config(whole).secrets.webhookAuth).toBeUndefined();
  });

  test.each(Object.keys(whole))('is refused when only %s is missing, or alone', (name) => {
    const others = Object.keys(whole).filter((other) => other !== name);

    expect(wrong({ ...whole, [name]: undefined })).toEqual([name]);
    expect(wrong({ [name]: whole[name as keyof typeof whole] })).toEqual(others);
  });

  test('lives on the page origins that are named, however they are separated', () => {
    const origins = 'https://pay.example, https://pay2.example:8443\nhttp://localhost:4000';

    expect(config({ CHECKOUT_PAGE_ORIGINS: origins }).config.payments.pageOrigins).toEqual([
      'https://pay.example',
      'https://pay2.example:8443',
      'http://localhost:4000',
    ]);
  });
});

describe('the ways to pay', () => {
  test.each([
    ['hosted', ['hosted']],
    ['card', ['card']],
    ['card, hosted', ['card', 'hosted']],
  ])('are those that are named: %s', (value, ways) => {
    expect(config({ PAYMENT_FLOWS: value }).config.paymentFlows).toEqual(ways);
  });

  test('need a vault in production only where cards are taken', () => {
    expect(wrong({ ...production, TOKENIZER_URL: '', PAYMENT_FLOWS: 'hosted' })).toEqual([]);
    expect(wrong({ ...production, TOKENIZER_URL: '', PAYMENT_FLOWS: 'card' })).toEqual(['TOKENIZER_URL']);
  });
});

describe('the time to pay', () => {
  test.each([
    ['60', 60 * MINUTE],
    ['31', 31 * MINUTE],
    ['30', 30.5 * MINUTE],
    ['1440', 1439.5 * MINUTE],
  ])('of %s minutes stays inside the gateway’s window when the call takes a moment', (minutes, ms) => {
    expect(config({ ORDER_TTL_MINUTES: minutes }).config.orderTtlMs).toBe(ms);
  });
});

describe('a wrong value', () => {
  const WRONG: readonly (readonly [string, string])[] = [
    ['NODE_ENV', 'prod'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '3000.5'],
    ['PORT', '0x50'],
    ['PORT', ' 80'],
    ['PUBLIC_URL', 'tienda.example'],
    ['PUBLIC_URL', 'https://tienda.example/shop'],
    ['PUBLIC_URL', 'https://user:pw@tienda.example'],
    ['PUBLIC_URL', 'ftp://tienda.example'],
    ['DATABASE_URL', 'mysql://localhost/shop'],
    ['DATABASE_URL', 'file:'],
    ['SESSION_SECRET', 'thirty-one bytes are not enough'],
    ['PAYMENTS_BASE_URL', 'javascript:alert(1)'],
    ['PAYMENTS_BASE_URL', 'https://key@app.pay.example'],
    ['PAYMENTS_BASE_URL', 'https://:hunter22@app.pay.example'],
    ['CHECKOUT_API_URL', 'https://'],
    ['CHECKOUT_API_URL', 'https://api.pay.example\n'],
    ['PAYMENTS_API_KEY', 'short12'],
    ['PAYMENTS_API_KEY', 'key with blanks'],
    ['PAYMENTS_API_KEY', 'key\r\nX-Header:1'],
    ['PAYMENTS_API_KEY', 'clave_ñandú_1'],
    ['PAYMENTS_SIGNING_SECRET', 'seven77'],
    ['PAYMENTS_SIGNING_TEXT', 'latin1'],
    ['CHECKOUT_PAGE_ORIGINS', 'https://pay.example/page'],
    ['CHECKOUT_PAGE_ORIGINS', 'https://pay.example,pay2.example'],
    ['TOKENIZER_URL', 'token.pay.example'],
    ['WEBHOOK_AUTH', 'digest:x'],
    ['WEBHOOK_AUTH', 'bearer:'],
    ['WEBHOOK_AUTH', 'basic:merchant-9'],
    ['WEBHOOK_AUTH', 'header:X:'],
    ['PAYMENT_FLOWS', 'hosted,cash'],
    ['PAYMENT_FLOWS', ' , '],
    ['PII_RETENTION_DAYS', '29'],
    ['PII_RETENTION_DAYS', 'never'],
    ['ORDER_TTL_MINUTES', '29'],
    ['ORDER_TTL_MINUTES', '1441'],
    ['ORDER_TTL_MINUTES', '1e3'],
    ['SMTP_URL', 'https://mail.example'],
    ['MAIL_FROM', 'nobody'],
    ['MAIL_FROM', 'a@b.mx\r\nBcc: c@d.mx'],
    ['TRUST_PROXY', 'true'],
    ['TRUST_PROXY', '11'],
    ['RATE_LIMIT', 'no'],
    ['HSTS_INCLUDE_SUBDOMAINS', 'yes'],
    ['METRICS_TOKEN', 'short-of-sixteen'.slice(1)],
    ['METRICS_TOKEN', 'sixteen characters with blanks'],
    ['LOG_LEVEL', 'verbose'],
    ['LOCALES', 'es-MX,fr'],
    ['LOCALES', ' , '],
    ['DEFAULT_LOCALE', 'fr'],
  ];

  test.each(WRONG)('in %s is refused by that name: %j', (name, value) => {
    expect(wrong({ [name]: value })).toContain(name);
  });

  test('is never repeated in the problem, whatever the setting', () => {
    for (const [name, value] of WRONG) {
      for (const base of [{}, production]) {
        const text = problems({ ...base, [name]: value }).join('\n');
        if (value.length > 7) expect(text).not.toContain(value);
        expect(text).not.toContain('hunter22');
        expect(text).not.toContain(production.SESSION_SECRET);
        expect(text).not.toContain(production.PAYMENTS_API_KEY);
      }
    }
  });

  test('keeps none of the others from being named: all problems come at once', () => {
    const environment = Object.fromEntries(WRONG);

    expect(new Set(wrong(environment))).toEqual(new Set(WRONG.map(([name]) => name)));
    expect(wrong({ ...environment, NODE_ENV: 'production' })).toEqual(
      expect.arrayContaining(['PORT', 'PUBLIC_URL']),
    );
  });

  test('does not hide a rule between other settings', () => {
    expect(wrong({ ...production, PORT: 'x', SESSION_SECRET: 'a'.repeat(40) })).toEqual([
      'PORT',
      'SESSION_SECRET',
    ]);
  });
});

test('.env.example is the one that npm run format writes, and its values are the defaults', () => {
  const text = readFileSync(new URL('../.env.example', import.meta.url), 'utf8');

  expect(text).toBe(envExample());
  expect(config(parse(text))).toEqual(config());
});

describe('the files of the project', () => {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const NOT_OURS = ['node_modules', 'dist', 'data', 'coverage', 'test-results', '.git', '.env'];
  /** Keys by the forms in which they are given out. */
  const KEYS = [
    /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
    /\bAKIA[0-9A-Z]{16}\b/,
    /\b[rs]k_live_\w{8,}/,
    /\bgh[oprsu]_\w{36}/,
    /\bxox[abprs]-\w{8,}/,
    /\bnpm_[0-9A-Za-z]{36}/,
    /\beyJ[\w-]{16,}\.[\w-]{16,}\.[\w-]{16,}/,
  ];

  function filesIn(directory: string): string[] {
    return readdirSync(directory, { withFileTypes: true })
      .filter(({ name }) => !NOT_OURS.includes(name))
      .flatMap((entry) => {
        const path = join(directory, entry.name);
        return entry.isDirectory() ? filesIn(path) : entry.isFile() ? [path] : [];
      });
  }

  test('hold no key of a known form', () => {
    const found = filesIn(root).filter((path) => KEYS.some((key) => key.test(readFileSync(path, 'utf8'))));

    expect(found.map((path) => relative(root, path))).toEqual([]);
  });
});
