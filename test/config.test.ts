import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { SIMULATOR } from '@tianguis/payments/settings';
import { parse } from 'dotenv';
import { parseConfig } from '../src/config/config.js';
import { SECRETS, settingsSchema } from '../src/config/settings.js';
import { cutSettings } from '../src/env-file.js';
import { brand } from '../src/locales/brand.js';
import { FLOW_IDS } from '../src/shop/rules/flows.js';
import { envExample } from '../tools/dev/env-example.js';
import { PRODUCTION } from './support/production-settings.js';
import { seededRandom } from './support/seeded-random.js';

type Environment = Readonly<Record<string, string | undefined>>;

const MINUTE = 60_000;
function config(environment: Environment = {}) {
  const reading = parseConfig(environment);
  if (!reading.ok) throw new Error(reading.problems.join('\n'));
  return reading;
}

function problems(environment: Environment): readonly string[] {
  const reading = parseConfig(environment);
  return reading.ok ? [] : reading.problems;
}

/** Returns the names of the settings that have a problem. */
const wrong = (environment: Environment) => [
  ...new Set(problems(environment).map((problem) => problem.slice(0, problem.indexOf(':')))),
];

const bearer = (token: string) => ({
  scheme: 'header',
  credentials: [{ name: 'authorization', value: `Bearer ${token}` }],
});

/** Returns the rows of a table from a group and a setting to values. */
const rowsOf = (table: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(table).flatMap(([key, values]) => values.map((value) => [key, value] as const));

test('a shop without settings is a development shop on its own simulator', () => {
  expect(config().config).toMatchObject({
    production: false,
    host: '127.0.0.1',
    payments: { simulatorUrl: 'http://localhost:4000', pageOrigins: ['http://localhost:4000'] },
    refunds: 'record',
    partialRefunds: false,
    rateLimit: true,
  });
  expect(config().secrets).toEqual({
    features: expect.any(Object),
    databaseUrl: 'file:./data/tianguis.db',
    apiKey: SIMULATOR.apiKey,
    webhookAuth: bearer('simulator-webhook-secret'),
  });
});

test('in production a complete environment is accepted, and the shop listens on every address of the machine', () => {
  const { config: parsed, secrets } = config(PRODUCTION);

  expect(parsed).toMatchObject({
    production: true,
    host: '0.0.0.0',
    payments: { simulatorUrl: undefined, pageOrigins: ['https://api.pay.example'] },
  });
  expect(secrets).toEqual({
    features: expect.any(Object),
    databaseUrl: 'file:./data/tianguis.db',
    apiKey: PRODUCTION.PAYMENTS_API_KEY,
    sessionSecrets: [PRODUCTION.SESSION_SECRET],
    webhookAuth: bearer('Zx81kQpL0v7RtY3n'),
  });
});

test('the configuration holds no secret', () => {
  const secrets = {
    DATABASE_URL: 'postgres://shop:dbpassword@db.example/shop',
    SESSION_SECRET: PRODUCTION.SESSION_SECRET,
    PAYMENTS_API_KEY: PRODUCTION.PAYMENTS_API_KEY,
    PAYMENTS_SIGNING_SECRET: 'Hn7tQ2wE9rT4yU1i',
    WEBHOOK_AUTH: PRODUCTION.WEBHOOK_AUTH,
    ADMIN_PASSWORD: 'mZ3xC8vB5nM2qW7e',
    METRICS_TOKEN: 'aS6dF1gH4jK9lP0o',
    SMTP_URL: 'smtp://shop:mailpassword@mail.example',
  };

  const text = JSON.stringify(config({ ...PRODUCTION, ...secrets }).config);

  expect(Object.keys(secrets)).toEqual(expect.arrayContaining([...SECRETS]));
  for (const secret of Object.values(secrets)) expect(text).not.toContain(secret.replace(/^bearer:/, ''));
});

test('in production each required setting is refused when it is missing, alone or with all others', () => {
  // A removed payment flow has no settings.
  const required = Object.keys(PRODUCTION).filter((name) => name !== 'NODE_ENV' && name in settingsSchema.shape);

  expect(new Set(wrong({ NODE_ENV: 'production' }))).toEqual(new Set(required));
  for (const name of required) expect(wrong({ ...PRODUCTION, [name]: '' })).toEqual([name]);
});

test.each(
  rowsOf({
    'must be https in production': [
      'PUBLIC_URL=http://tienda.example',
      'PAYMENTS_BASE_URL=http://app.pay.example',
      'CHECKOUT_PAGE_ORIGINS=https://pay.example http://pay.example',
    ],
    'is an example; make one of your own': [
      'SESSION_SECRET=keyboard cat keyboard cat keyboard cat',
      'PAYMENTS_API_KEY=test_simulator_key',
      'PAYMENTS_SIGNING_SECRET=example-secret',
      'WEBHOOK_AUTH=bearer:simulator-webhook-secret',
      'WEBHOOK_AUTH=basic:merchant:secret',
      'WEBHOOK_AUTH=Bearer:Zx81kQpL0v7RtY3n,BEARER:simulator-webhook-secret',
      `SESSION_SECRET=${PRODUCTION.SESSION_SECRET},keyboard cat keyboard cat keyboard cat`,
    ],
    'is easy to guess; make one of your own': [
      'SESSION_SECRET=0123456789abcdef0123456789abcdef',
      'PAYMENTS_API_KEY=xxxxxxxx',
      'ADMIN_PASSWORD=123456789012',
      `ADMIN_PASSWORD=${brand.name}-enero-2026!`,
      'ADMIN_PASSWORD=TIENDA.example.24',
      'ADMIN_PASSWORD=Contraseña-1234',
      'ADMIN_PASSWORD=contrasen\u0303a.enero.2027',
      `SESSION_SECRET=clave secreta de la tienda ${brand.name} 2026`,
      'WEBHOOK_AUTH=bearer:bienvenidos-mexico-2026',
    ],
    'must hold 16 characters at least in production': ['WEBHOOK_AUTH=basic:merchant:Zx81kQpL0v7RtY3'],
    'is a test key, and the addresses are live': ['PAYMENTS_API_KEY=test_5f0c9a7be21d44c8'],
  }),
)('in production a setting that %s is refused: %s', (problem, line) => {
  const [name = '', value] = line.split(/=(.*)/s);

  expect(problems({ ...PRODUCTION, [name]: value })).toEqual([`${name}: ${problem}`]);
});

test.each(
  rowsOf({
    PAYMENTS_BASE_URL: ['https://stage.pay.example', 'https://SANDBOX.pay.example'],
    CHECKOUT_API_URL: ['https://api-stage.pay.example', 'https://test-api.pay.example'],
    CHECKOUT_PAGE_ORIGINS: ['https://stage-page.pay.example'],
  }),
)('in production a test address is refused in %s: %s', (name, value) => {
  expect(wrong({ ...PRODUCTION, [name]: value })).toEqual([name]);
});

test('in production valid addresses and random secrets of every usual form are accepted', () => {
  for (const host of ['contest.pay.example', 'latest.example', 'backstage.example'])
    expect(problems({ ...PRODUCTION, PAYMENTS_BASE_URL: `https://${host}` })).toEqual([]);
  for (const scheme of ['basic:merchant', 'header:X-Key'])
    expect(problems({ ...PRODUCTION, WEBHOOK_AUTH: `${scheme}:Zx81kQpL0v7RtY3n` })).toEqual([]);
  const random = seededRandom('secrets');
  const hex = (bytes: number) => random(bytes).toString('hex');
  for (let round = 0; round < 20; round += 1) {
    const secrets = {
      SESSION_SECRET: random(48).toString('base64'),
      PAYMENTS_API_KEY: [hex(4), hex(2), hex(2), hex(2), hex(6)].join('-'),
      WEBHOOK_AUTH: `bearer:${hex(24)}`,
      ADMIN_PASSWORD: random(9).toString('base64url'),
    };
    expect(problems({ ...PRODUCTION, ...secrets })).toEqual([]);
  }
});

test('in production a phrase of several uncommon words is accepted, also with the name of the shop and a year', () => {
  for (const phrase of ['girasol puente lana', `${brand.name} 2026 girasol`, 'mi clave es murciélago'])
    expect(problems({ ...PRODUCTION, ADMIN_PASSWORD: phrase })).toEqual([]);
});

test('in production limits cannot be switched off, and webhooks without authentication need the explicit value none', () => {
  expect(wrong({ ...PRODUCTION, RATE_LIMIT: 'off' })).toEqual(['RATE_LIMIT']);
  expect(config({ RATE_LIMIT: 'off' }).config.rateLimit).toBe(false);
  for (const WEBHOOK_AUTH of ['none', 'None'])
    expect(config({ ...PRODUCTION, WEBHOOK_AUTH }).secrets.webhookAuth).toEqual({ scheme: 'none' });
});

const all = {
  PAYMENTS_BASE_URL: 'https://app.pay.example/',
  CHECKOUT_API_URL: 'https://api.pay.example//',
  PAYMENTS_API_KEY: 'key_12345678',
};

test('the settings of the gateway are taken together, and refused when one is missing or given alone', () => {
  const { config: parsed, secrets } = config(all);

  expect(parsed.payments).toMatchObject({
    simulatorUrl: undefined,
    baseUrl: 'https://app.pay.example',
    checkoutApiUrl: 'https://api.pay.example',
  });
  expect(secrets.webhookAuth).toBeUndefined();
  for (const [name, value] of Object.entries(all)) {
    const others = Object.keys(all).filter((other) => other !== name);
    expect([wrong({ ...all, [name]: undefined }), wrong({ [name]: value })]).toEqual([[name], others]);
  }
});

test.each<[Environment, object]>([
  [{ PAYMENT_FLOWS: FLOW_IDS.toReversed().join(', ') }, { paymentFlows: FLOW_IDS.toReversed() }],
  [{ LOCALES: 'es-MX' }, { locales: ['es-MX'] }],
  // The time of an order stays inside the window of the gateway during a slow call.
  [{ ORDER_TTL_MINUTES: '30' }, { orderTtlMs: 30.5 * MINUTE }],
  [{ ORDER_TTL_MINUTES: '31' }, { orderTtlMs: 31 * MINUTE }],
  [{ ORDER_TTL_MINUTES: '1440' }, { orderTtlMs: 1439.5 * MINUTE }],
])('the settings %j are read as %j', (environment, expected) => {
  expect(config(environment).config).toMatchObject(expected);
});

const WRONG = rowsOf({
  NODE_ENV: ['prod'],
  PORT: ['65536', '-1', '3000.5', '0x50', ' 80'],
  PUBLIC_URL: ['tienda.example', 'https://tienda.example/shop', 'https://u:pw@tienda.example', 'ftp://a.mx'],
  DATABASE_URL: ['mysql://localhost/shop', 'file:'],
  SESSION_SECRET: [
    'thirty-one bytes are not enough',
    ',',
    `${PRODUCTION.SESSION_SECRET},short`,
    `${PRODUCTION.SESSION_SECRET},`,
    `,${PRODUCTION.SESSION_SECRET}`,
  ],
  PAYMENTS_BASE_URL: ['javascript:alert(1)', 'https://:hunter22@app.pay.example'],
  CHECKOUT_API_URL: ['https://', 'https://api.pay.example\n'],
  PAYMENTS_API_KEY: ['short12', 'key with blanks', 'key\r\nX-Header:1', 'clave_ñandú_1'],
  PAYMENTS_SIGNING_SECRET: ['seven77'],
  PAYMENTS_SIGNING_TEXT: ['latin1'],
  CHECKOUT_PAGE_ORIGINS: ['https://pay.example/page', 'https://pay.example,pay2.example'],
  WEBHOOK_AUTH: [
    ...[
      'digest:x',
      'bearer:',
      'basic:merchant-9',
      'header:X:',
      ',',
      'bearer:Zx81kQpL0v7RtY3€',
      'header:X-Key:contraseña',
    ],
    ...['bearer:Zx81kQpL0v7RtY3n,Zx81kQpL0v7RtY3m', 'bearer:Zx81kQpL0v7RtY3n,', 'bearer:Zx81kQpL0v7RtY3n,none'],
  ],
  PAYMENT_FLOWS: ['hosted,cash', ' , '],
  REFUNDS: ['on', 'Gateway'],
  REFUND_PARTIAL: ['yes'],
  ORDER_TTL_MINUTES: ['29', '1441', '1e3'],
  SMTP_URL: ['https://mail.example', 'smtp:mail.example'],
  MAIL_FROM: ['no-address', 'a@b.mx\r\nBcc: c@d.mx', 'Eva a@b.mx', 'Eva <a@b.mx> x'],
  MERCHANT_EMAIL: ['no-address', 'a@b.mx,c@d.mx', 'Eva <a@b.mx>'],
  TRUST_PROXY: ['true', '11'],
  RATE_LIMIT: ['no'],
  HSTS_INCLUDE_SUBDOMAINS: ['yes'],
  LOG_LEVEL: ['verbose'],
  LOCALES: ['es-MX,fr', ' , '],
  DEFAULT_LOCALE: ['fr'],
});

test.each(WRONG)('an invalid value of %s is refused by that name and not repeated: %j', (name, value) => {
  expect(wrong({ [name]: value })).toContain(name);
  for (const base of [{}, PRODUCTION]) {
    const text = problems({ ...base, [name]: value }).join('\n');
    if (value.length > 7) expect(text).not.toContain(value);
    for (const secret of ['hunter22', PRODUCTION.SESSION_SECRET, PRODUCTION.PAYMENTS_API_KEY])
      expect(text).not.toContain(secret);
  }
});

const ENCODED = 'percent-encoded: # as %23, / as %2F';

test.each([
  ['SMTP_URL', 'smtp://shop:pa#ss@mail.example:587', ENCODED],
  ['SMTP_URL', 'smtp://shop:pa/ss@mail.example', ENCODED],
  ['SMTP_URL', 'smtp://shop:12#3@mail.example', ENCODED],
  ['SMTP_URL', 'smtps://shop:?pass@mail.example', ENCODED],
  ['SMTP_URL', 'smtp://shop:pa', 'must be smtp://user:password@host:port'],
  ['SMTP_URL', 'smtp://mail.example:port', 'must be smtp://user:password@host:port'],
  ['DATABASE_URL', 'postgres://shop:pa#ss@db.example/shop', ENCODED],
  ['DATABASE_URL', 'postgres://shop:1/ss@db.example/shop', ENCODED],
  ['DATABASE_URL', 'postgres://shop:secret@db example/shop', 'must be postgres://user:password@host:port/database'],
  ['PUBLIC_URL', 'https://ñandú.example', 'must be written as browsers send it: https://xn--and-6ma2c.example'],
  ['PUBLIC_URL', 'https://Tienda.example:443', 'must be written as browsers send it: https://tienda.example'],
  ['PUBLIC_URL', 'https://tienda.example/mx', 'must be an origin only'],
  ['CHECKOUT_PAGE_ORIGINS', 'https://PAY.example', 'must be written as browsers send it: https://pay.example'],
  ['MAIL_FROM', 'a@b.mx, c@d.mx', 'must be one email address'],
  ['MAIL_FROM', 'Eva <a@b.mx>, Luz <c@d.mx>', 'must be one email address'],
  ['MAIL_FROM', 'Ventas, S.A. <a@b.mx>', 'a name with a comma or other signs needs quotes'],
  ['MAIL_FROM', 'Tienda <señor@b.mx>', 'ASCII characters before the @'],
  ['MERCHANT_EMAIL', 'señor@tienda.mx', 'ASCII characters before the @'],
])('%s with a value such as %s is refused once, with the true reason', (name, value, reason) => {
  const reported = problems({ [name]: value });

  expect(reported).toEqual([expect.stringContaining(`${name}: `)]);
  expect(reported[0]).toContain(reason);
});

test.each([
  ['SMTP_URL', 'smtp://ventas%40tienda.mx:p%23a%2Fss@mail.example:587'],
  ['SMTP_URL', 'smtps://ventas@tienda.mx:p!ss@mail.example'],
  ['DATABASE_URL', 'postgres://shop:p%23ss@db.example/shop?sslmode=verify-full'],
  ['DATABASE_URL', 'postgres://shop:secret@/shop?host=/var/run/postgresql'],
  ['DATABASE_URL', 'postgres:///shop?host=/var/run/postgresql&user=a@b'],
  ['DATABASE_URL', 'file:./data/shop#1.db'],
  ['PUBLIC_URL', 'https://xn--and-6ma2c.example'],
  ['MAIL_FROM', 'Peña y Ñandú <ventas@peña.mx>'],
  ['MAIL_FROM', '"Ventas, S.A. (México)" <ventas@tienda.mx>'],
  ['MAIL_FROM', 'ventas@tienda.mx'],
  ['MERCHANT_EMAIL', 'ventas+1@peña.mx'],
])('%s accepts %s', (name, value) => {
  expect(problems({ [name]: value })).toEqual([]);
});

test('the names of the settings whose unquoted value ends at a # are found, and comments are none', () => {
  const lines = [
    'ADMIN_PASSWORD=una#clave',
    'export SMTP_URL=smtp://shop:pa#ss@mail.example # the server',
    'METRICS_TOKEN=#Zx81kQpL0v7RtY3n',
    'MAIL_FROM=Tienda #1 <a@b.mx>',
    '# PORT=1#2',
    'PORT=3000 # the port',
    'HOST=   # all',
    `SESSION_SECRET='a#b'`,
    'WEBHOOK_AUTH="none"#none',
    'LOCALES="es-MX # en"',
    'REFUNDS=off',
    'DATABASE_URL=file:./data/a.db\t# the file',
  ];

  for (const end of ['\n', '\r\n'])
    expect(cutSettings(lines.join(end))).toEqual(['ADMIN_PASSWORD', 'SMTP_URL', 'METRICS_TOKEN', 'MAIL_FROM']);
});

test('an invalid value hides no other problem: all are reported together', () => {
  const environment = Object.fromEntries(WRONG);

  expect(new Set(wrong(environment))).toEqual(new Set(WRONG.map(([name]) => name)));
  const secret = 'a'.repeat(40);
  expect(wrong({ ...PRODUCTION, PORT: 'x', SESSION_SECRET: secret })).toEqual(['PORT', 'SESSION_SECRET']);
});

test('.env.example is the text that npm run format writes, and its values are the defaults', () => {
  const text = readFileSync(new URL('../.env.example', import.meta.url), 'utf8');

  expect(text).toBe(envExample());
  expect(config(parse(text))).toEqual(config());
  expect(config({ ...parse(text), PORT: '3001' })).toMatchObject({
    config: { publicUrl: 'http://localhost:3001' },
  });
});

test('the files of the project hold no key of a known form', () => {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const excluded = ['node_modules', 'dist', 'data', 'coverage', 'test-results', '.git', '.env'];
  const keys = [
    /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
    /\bAKIA[0-9A-Z]{16}\b/,
    /\b[rs]k_live_\w{8,}/,
    /\bgh[oprsu]_\w{36}/,
    /\bxox[abprs]-\w{8,}/,
    /\bnpm_[0-9A-Za-z]{36}/,
    /\beyJ[\w-]{16,}\.[\w-]{16,}\.[\w-]{16,}/,
  ];
  const filesIn = (directory: string): string[] =>
    readdirSync(directory, { withFileTypes: true })
      .filter(({ name }) => !excluded.includes(name))
      .flatMap((entry) => {
        const path = join(directory, entry.name);
        return entry.isDirectory() ? filesIn(path) : entry.isFile() ? [path] : [];
      });

  const found = filesIn(root).filter((path) => keys.some((key) => key.test(readFileSync(path, 'utf8'))));

  expect(found.map((path) => relative(root, path))).toEqual([]);
});
