import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import type { Environment } from '../../../src/config/settings.js';
import { settingsSchema } from '../../../src/config/settings.js';
import { FEATURE_NOTICES } from '../../../src/features/settings.js';
import { brand } from '../../../src/locales/brand.js';
import { FLOW_IDS } from '../../../src/shop/rules/flows.js';
import { openDatabase } from '../../../src/tables/database.js';
import { storeSettings } from '../../../test/support/shop-settings.js';
import { formatReport } from '../report.js';
import { checkOffline, PRODUCTION, problemsOf } from './support.js';

const MERCHANT_EMAIL = 'avisos@tienda.example';
/** The flow may be removed. */
const UNSIGNED: [Environment, RegExp] = [{ PAYMENTS_SIGNING_SECRET: '' }, /^signing note Card payments are not signed/];

test('development defaults have no problem, except that the database does not exist yet', async () => {
  expect(problemsOf(await checkOffline({}))).toEqual(['database note The database file does not exist yet.']);
});

test('complete production settings have no problem, except database and mail', async () => {
  expect(problemsOf(await checkOffline({ ...PRODUCTION, MERCHANT_EMAIL }))).toEqual([
    'database note The database file does not exist yet.',
    'mail files warning SMTP_URL is not set: receipts are written to data/mail.',
  ]);
});

test('each invalid setting is reported by name with effect and fix, and the other checks are skipped', async () => {
  const results = await checkOffline({ PORT: 'eighty', PAYMENTS_API_KEY: 'hunter2' });

  expect(problemsOf(results)).toEqual([
    'settings error PORT must be a whole number.',
    'settings error PAYMENTS_API_KEY must be 8 or more printable characters without blanks.',
    'settings note The other checks were skipped.',
  ]);
  expect(results[0]).toMatchObject({ fix: settingsSchema.shape.PORT.description });
  expect(JSON.stringify(results)).not.toMatch(/hunter2|eighty/);
});

test('--production reports what production rejects and runs the other checks', async () => {
  const problems = problemsOf(await checkOffline({}, { production: true }));

  expect(problems).toEqual(
    expect.arrayContaining([
      'settings error SESSION_SECRET is needed in production.',
      'settings error PUBLIC_URL must be https in production.',
      'public address error PUBLIC_URL is an address of this machine only.',
    ]),
  );
});

/** Each entry: a change of `PRODUCTION`, and the expected problem. */
const MISCONFIGURATIONS: readonly (readonly [Environment, RegExp])[] = [
  [
    { NODE_ENV: '', CHECKOUT_API_URL: 'http://localhost:4100' },
    /^gateway URLs error .*BASE_URL is live, CHECKOUT_API_URL is local/,
  ],
  [
    {
      NODE_ENV: '',
      PAYMENTS_BASE_URL: 'https://stage.pay.example',
      CHECKOUT_API_URL: 'https://api-stage.pay.example',
      TOKENIZER_URL: 'https://token-sandbox.pay.example/token',
    },
    /^API key error .* is a live key/,
  ],
  [{ NODE_ENV: '', PAYMENTS_API_KEY: '5f0c9a7be21d44c8aa01' }, /^API key warning .* not a production shop/],
  ...(FLOW_IDS.includes('card') ? [UNSIGNED] : []),
  [{ WEBHOOK_AUTH: 'none' }, /^webhook credential error WEBHOOK_AUTH is none/],
  [{ NODE_ENV: '', WEBHOOK_AUTH: 'none' }, /^webhook credential warning WEBHOOK_AUTH is none/],
  [{ NODE_ENV: '', WEBHOOK_AUTH: '' }, /^webhook credential warning WEBHOOK_AUTH is not set/],
  [
    { SESSION_SECRET: `${PRODUCTION.SESSION_SECRET},${PRODUCTION.SESSION_SECRET.toLowerCase()}` },
    /^older secrets note SESSION_SECRET has 2 values, separated by a comma/,
  ],
  [
    { WEBHOOK_AUTH: `${PRODUCTION.WEBHOOK_AUTH},header:X-Key:q8Lw2MzC5vHt0RbX` },
    /^older secrets note WEBHOOK_AUTH has 2 values/,
  ],
  [{ ADMIN_PASSWORD: '' }, /^admin password note ADMIN_PASSWORD is not set/],
  [{ ADMIN_PASSWORD: `${brand.name}-enero-2026!` }, /^settings error ADMIN_PASSWORD is easy to guess/],
  [{ ADMIN_PASSWORD: 'Zx81kQpL0v7RtY3n' }, /^reused secrets warning WEBHOOK_AUTH and ADMIN_PASSWORD/],
  [
    { WEBHOOK_AUTH: 'BEARER:8QpL0v7RtY3nZx81,basic:shop:kq3vN8sXw1Zt5yB7uD0fHj2LmR4pG6cA9eQ' },
    /^reused secrets warning SESSION_SECRET and WEBHOOK_AUTH/,
  ],
  [{ PUBLIC_URL: 'https://localhost' }, /^public address error PUBLIC_URL is an address of this machine/],
  [{ NODE_ENV: '', PUBLIC_URL: 'http://localhost:3000' }, /^public address warning /],
  [{ CHECKOUT_PAGE_ORIGINS: '' }, /^payment page warning CHECKOUT_PAGE_ORIGINS is not set/],
  [{ TRUST_PROXY: '0' }, /^proxies error TRUST_PROXY is 0/],
];

test.each(MISCONFIGURATIONS)(
  'the settings %j are reported once, as %s, without a secret',
  async (changed, expected) => {
    const environment: Environment = { ...PRODUCTION, ...changed };

    const results = await checkOffline(environment);

    expect(problemsOf(results).filter((problem) => expected.test(problem))).toHaveLength(1);
    const report = formatReport(results);
    for (const name of ['SESSION_SECRET', 'PAYMENTS_API_KEY', 'PAYMENTS_SIGNING_SECRET', 'ADMIN_PASSWORD'])
      if (environment[name]) expect(report).not.toContain(environment[name]);
    expect(report).not.toContain('Zx81kQpL');
  },
);

test('a mistyped name, a value that ends at a # and a readable .env are reported', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tianguis-settings-'));
  writeFileSync(join(folder, '.env'), 'PAYMENT_API_KEY=x\nSIMULATOR_PORT=1\nPORT=3000\nSMTP_URL=smtp://a:b#c@d.mx\n', {
    mode: 0o644,
  });

  const results = await checkOffline(PRODUCTION, { envFile: join(folder, '.env') });
  rmSync(folder, { recursive: true });

  expect(problemsOf(results)).toEqual(
    expect.arrayContaining([
      'setting names warning .env contains unknown settings: PAYMENT_API_KEY.',
      'cut values warning In .env, the value of SMTP_URL ends before its #.',
      'file permissions warning Other users of this machine can read .env.',
    ]),
  );
});

test('sample texts are an error in production only, until the back office replaces them, a missing picture always, and each file is named', async () => {
  const projectDirectory = mkdtempSync(join(tmpdir(), 'tianguis-doctor-'));
  mkdirSync(join(projectDirectory, 'content/es-MX'), { recursive: true });
  writeFileSync(join(projectDirectory, 'content/es-MX/terms.md'), '<!-- sample -->\n# Términos');
  const features = ['shop-settings'];
  const check = async (production: boolean) =>
    problemsOf(
      await checkOffline(
        { DATABASE_URL: `file:${projectDirectory}/shop.db` },
        { production, projectDirectory, features },
      ),
      'sample texts',
    );

  expect(await check(false)).toEqual([]);
  expect(await check(true)).toEqual([
    expect.stringMatching(/^sample texts error .*content\/es-MX\/terms\.md: is a sample/),
  ]);
  const DATABASE_URL = 'postgres://tianguis@localhost:2/tianguis';
  const unread = await checkOffline({ DATABASE_URL }, { production: true, projectDirectory, features });
  expect(unread.find(({ check: name }) => name === 'sample texts')).toMatchObject({
    level: 'error',
    what: expect.stringContaining('content/es-MX/terms.md: is a sample'),
    why: expect.stringMatching(/unless the back office replaced them: the database was not read\.$/),
  });
  await using database = openDatabase(`file:${join(projectDirectory, 'shop.db')}`, () => {});
  await database.migrate();
  await storeSettings(database.queries, { 'pages.es-MX.terms': '# Míos', 'brand.merchant.phone': '55 1234 5678' });
  const [remaining = ''] = await check(true);
  expect([remaining.includes('terms.md'), remaining.includes('merchant.phone')]).toEqual([false, false]);
  writeFileSync(join(projectDirectory, 'content/es-MX/terms.md'), '# Términos\n\n![Taller](/products/taller.jpg)');
  expect(problemsOf(await checkOffline({}, { projectDirectory }), 'texts and pictures')).toEqual([
    expect.stringMatching(/error .*content\/es-MX\/terms\.md: the picture \/products\/taller\.jpg is no file/),
  ]);
  rmSync(projectDirectory, { recursive: true });
});

test('the report names only what the shop has: its payment flows, and what its features do', async () => {
  const projectDirectory = mkdtempSync(join(tmpdir(), 'tianguis-doctor-'));
  mkdirSync(join(projectDirectory, 'content/es-MX'), { recursive: true });
  writeFileSync(join(projectDirectory, 'content/es-MX/terms.md'), '<!-- sample -->\n# Términos');
  const mixed = { ...PRODUCTION, NODE_ENV: '', CHECKOUT_API_URL: 'https://stage.pay.example' };
  const report = async (features: readonly string[], environment: Environment = {}) =>
    formatReport(await checkOffline({ ...mixed, ...environment }, { production: true, projectDirectory, features }));

  const [flow] = FLOW_IDS;
  const small = await report([], { PAYMENT_FLOWS: flow });
  const large = await report(['second-factor', 'refunds', 'shop-settings']);
  const notices = await Promise.all(Object.keys(FEATURE_NOTICES).map((feature) => report([feature])));
  rmSync(projectDirectory, { recursive: true });

  expect(small).toContain('terms.md: is a sample');
  expect(small).not.toMatch(/merchant mail|in the back office|two-step|pooler|mail server|mail sender/);
  expect([small.includes('TOKENIZER_URL is'), small.includes('payment page')]).toEqual(
    flow === 'card' ? [true, false] : [false, true],
  );
  expect(large).toMatch(/two-step verification[\s\S]*in these files or in the back office/);
  expect(large).not.toMatch(/removed (?:refunds|second factor)/);
  for (const [index, about] of Object.values(FEATURE_NOTICES).entries())
    expect(notices[index]).toContain(`You receive no notices: ${about}.`);
});
