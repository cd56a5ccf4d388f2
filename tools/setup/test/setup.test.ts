/** `npm run setup` in a copy of the built project. */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import dotenv from 'dotenv';
import { parseConfig } from '../../../src/config/config.js';
import { FEATURE_NOTICES } from '../../../src/features/settings.js';
import { brand } from '../../../src/locales/brand.js';
import { FLOW_IDS } from '../../../src/shop/rules/flows.js';
import { LOCALES } from '../../../src/shop/rules/locales.js';
import { copyBuild, runBuilt } from '../../../test/support/built-program.js';
import { withAnswers } from '../files.js';
import {
  accept,
  answerQuestions,
  CLEAR,
  ENTER,
  FLOW_QUESTIONS,
  inTerminal,
  LOCALE_QUESTIONS,
  SHOP_QUESTIONS,
  sampleBrandFile,
} from './support.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const BRAND = 'src/locales/brand.ts';
const STYLESHEET = 'public/shop.css';
const OWN_PATHS = 'tools/dev/own-paths.js';
const SAMPLE = sampleBrandFile();
/** Whether the shop has a feature that mails the merchant. */
const hasNotices = Object.keys(FEATURE_NOTICES).length > 0;
let copy: ReturnType<typeof copyBuild>;

beforeAll(() => {
  copy = copyBuild({ [BRAND]: () => SAMPLE });
  for (const folder of ['src/locales', 'tools/dev']) mkdirSync(join(copy.home, folder), { recursive: true });
  for (const file of ['.env.example', 'biome.json', '.gitignore', OWN_PATHS])
    copyFileSync(join(root, file), join(copy.home, file));
  rmSync(join(copy.home, 'public'));
  mkdirSync(join(copy.home, 'public'));
});

beforeEach(() => {
  rmSync(join(copy.home, '.env'), { force: true });
  copyFileSync(join(root, STYLESHEET), join(copy.home, STYLESHEET));
  writeFileSync(join(copy.home, BRAND), SAMPLE);
  for (const file of ['logo', 'favicon']) rmSync(join(copy.home, `public/${file}.svg`), { force: true });
});

afterAll(() => {
  copy[Symbol.dispose]();
});

const setup = (args: readonly string[], settings: Readonly<Record<string, string>> = {}, input = '') =>
  runBuilt('tools/setup/main.js', args, { settings, home: copy.home, input });

const answers = {
  name: 'Teclas y Más',
  color: '#0b6e99',
  legalName: 'Eva Ruiz',
  address: 'Calle 1, Puebla',
  phone: '222 123 4567',
  whatsapp: '',
  email: 'hola@teclas.mx',
  orderPrefix: 'TM',
};

const read = (path: string) => readFileSync(join(copy.home, path), 'utf8');

function config() {
  const reading = parseConfig(dotenv.parse(read('.env')));
  if (!reading.ok) throw new Error(reading.problems.join('\n'));
  return reading;
}

test('a first run writes name, color, address and neutral texts, and an .env that the configuration accepts', async () => {
  const shop = ['--name', "L'Étoile, S.A.", '--color', '#0B6E99', '--email', 'hola@etoile.mx'];
  const merchant = [
    '--legal-name',
    'Eva Ruiz',
    '--address',
    'Calle 1, Puebla',
    '--phone',
    '222 123 4567',
    '--whatsapp=2227654321',
  ];

  const locales = LOCALES.toReversed();
  const choices = ['--flows=hosted', `--locales=${locales.join()}`];
  const { code, stdout } = await setup(['--yes', ...shop, ...merchant, ...choices]);

  expect([code, stdout]).toEqual([0, expect.stringContaining('Wrote .env')]);
  expect(read(BRAND)).toContain(`name: "L'Étoile, S.A.",\n  orderPrefix: 'LE',\n  decoration: false,`);
  for (const value of ['Eva Ruiz', 'Calle 1, Puebla', '222 123 4567', '2227654321', 'hola@etoile.mx'])
    expect(read(BRAND)).toContain(`'${value}'`);
  expect(read(BRAND)).not.toMatch(/Tianguis|artesan|Mug/i);
  expect(read(STYLESHEET)).toContain('--brand: #0b6e99;');
  expect(read('public/logo.svg')).toContain('>L</text>');
  expect(config().config).toMatchObject({
    paymentFlows: ['hosted'],
    locales,
    merchantEmail: hasNotices ? 'hola@etoile.mx' : undefined,
    payments: { simulatorUrl: 'http://localhost:4000' },
  });
  expect(read('.env').split('\n').length).toBe(read('.env.example').split('\n').length);
});

test('a brand with own texts keeps them when the name changes again', () => {
  const own = { ...brand, name: 'Casa Jacaranda' };

  const renamed = withAnswers(own, { ...answers, name: 'Casa Violeta', orderPrefix: 'CV' });

  expect(renamed).toMatchObject({ name: 'Casa Violeta', texts: brand.texts, orderPrefix: 'CV' });
});

test.each(['.env', 'data'])('case 221: with %s as a link out of the project, nothing is changed', async (path) => {
  const outside = mkdtempSync(join(tmpdir(), 'tianguis-outside-'));
  const [target, text] = [join(outside, path), 'LOG_LEVEL=info\n'];
  if (path === 'data') mkdirSync(target);
  const file = path === 'data' ? join(target, 'tianguis.db') : target;
  writeFileSync(file, text);
  rmSync(join(copy.home, path), { recursive: true, force: true });
  symlinkSync(target, join(copy.home, path));

  const { code, stderr } = await setup(['--yes', '--force', '--clear-sample', '--name', 'Otra']);
  rmSync(join(copy.home, path));

  expect([code, stderr]).toEqual([1, expect.stringContaining(`${path} is a link`)]);
  expect([readFileSync(file, 'utf8'), read(BRAND)]).toEqual([text, SAMPLE]);
  rmSync(outside, { recursive: true });
});

test('--clear-sample deletes the sample products and the development database, and nothing else', async () => {
  const files = ['sample/products.csv', 'data/tianguis.db', 'data/tianguis.db-wal', 'data/session-secret'];
  for (const file of files) {
    mkdirSync(join(copy.home, dirname(file)), { recursive: true });
    rmSync(join(copy.home, file), { force: true });
    writeFileSync(join(copy.home, file), '');
  }
  const left = () => files.filter((file) => existsSync(join(copy.home, file)));

  await setup(['--yes']);
  const kept = left();
  await setup(['--yes', '--force', '--clear-sample']);

  expect([kept, left()]).toEqual([files, ['data/session-secret']]);
});

test('with --yes, the gateway and its secrets are read from the environment', async () => {
  const gateway = {
    PAYMENTS_BASE_URL: 'https://app.pay.example',
    CHECKOUT_API_URL: 'https://api.pay.example',
    PAYMENTS_API_KEY: `test_'"#$5f0c9a7b`,
    WEBHOOK_AUTH: 'bearer:Zx81kQpL0v7RtY3n',
  };

  expect(await setup(['--yes'], gateway)).toMatchObject({ code: 0 });

  expect(config().config.payments).toMatchObject({ simulatorUrl: undefined, baseUrl: 'https://app.pay.example' });
  expect(config().secrets).toMatchObject({
    apiKey: gateway.PAYMENTS_API_KEY,
    webhookAuth: { scheme: 'header', credentials: [{ name: 'authorization' }] },
  });
});

test('a second run changes the brand, adds what .env does not set, and reports only the files that it changed', async () => {
  writeFileSync(join(copy.home, '.env'), 'PAYMENT_FLOWS=hosted\nMERCHANT_EMAIL=\n');

  const first = await setup(['--yes', '--name', 'Teclas', '--email', 'hola@teclas.mx', '--flows', 'hosted']);
  expect([first.code, first.stdout]).toEqual([0, expect.stringContaining(`Wrote .env, ${BRAND}, public/logo.svg`)]);
  expect(read('.env')).toBe(`PAYMENT_FLOWS=hosted\nMERCHANT_EMAIL=${hasNotices ? 'hola@teclas.mx' : ''}\n`);
  expect((await setup(['--yes', '--flows', 'hosted'])).stdout).not.toContain('Wrote .env');
});

test('without --force no value of .env is replaced, and with it the other settings stay', async () => {
  const before = 'PORT=3300\nPAYMENT_FLOWS=card\n';
  writeFileSync(join(copy.home, '.env'), before);

  const { code, stderr } = await setup(['--yes', '--name', 'Other'], { PAYMENT_FLOWS: 'hosted' });
  expect([code, stderr]).toEqual([1, expect.stringContaining('PAYMENT_FLOWS')]);
  expect([read('.env'), read(BRAND)]).toEqual([before, SAMPLE]);

  expect(await setup(['--yes', '--force'], { PAYMENT_FLOWS: 'hosted' })).toMatchObject({ code: 0 });
  expect(read('.env')).toBe('PORT=3300\nPAYMENT_FLOWS=hosted\n');
});

test.each([[], ['--preset', 'full'], ['--json']])(
  'without a terminal the options %j are refused, and --yes is named',
  async (...options) => {
    for (const input of ['', 'open']) {
      const { code, stderr } = await setup(options, {}, input);
      expect([code, stderr]).toEqual([1, expect.stringContaining('--yes')]);
    }
    expect(existsSync(join(copy.home, '.env'))).toBe(false);
  },
);

test('with --yes an open input is not read, and --json prints what is written', async () => {
  const { code, stdout } = await setup(['--yes', '--json'], {}, 'open');

  expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ isDryRun: false, written: ['.env'] })]);
});

test.each([
  [[], { PAYMENT_FLOWS: 'cash' }, 'PAYMENT_FLOWS'],
  [[], { LOCALES: 'fr' }, 'LOCALES'],
  [[], { CHECKOUT_API_URL: 'https://api.pay.example' }, 'PAYMENTS_API_KEY'],
  [['--name', '<b>'], {}, '--name'],
  [['--color', 'red'], {}, '--color'],
  [['--email', 'hola'], {}, '--email'],
  [['--phone', '12'], {}, '--phone'],
  [['--order-prefix', 'T1'], {}, '--order-prefix'],
  [['--email', 'hola@jacaranda.example'], {}, '--email is a sample'],
  [['--email', 'contacto@example.com'], {}, '--email is a sample'],
  [['--legal-name', 'Empresa de Ejemplo', '--phone', '55 0000 0000'], {}, '--legal-name is a sample'],
  [['--address', 'Calle de Ejemplo 1'], {}, '--address is a sample'],
  [[], { WEBHOOK_AUTH: 'bearer:secret' }, 'WEBHOOK_AUTH: is an example'],
  [[], { PAYMENTS_BASE_URL: 'http://app.pay.example' }, 'PAYMENTS_BASE_URL: must be https'],
  [['--flows', 'cash'], {}, 'PAYMENT_FLOWS'],
  // The copy has no tools/features.
  [['--preset', 'small'], {}, 'tools/features'],
  [['--without', 'bench'], {}, 'tools/features'],
])('options %j with settings %j are refused, and no file is written', async (options, settings, named) => {
  const { code, stderr } = await setup(['--yes', ...options], settings);

  expect([code, stderr]).toEqual([1, expect.stringContaining(named)]);
  expect(existsSync(join(copy.home, '.env'))).toBe(false);
  expect(read(BRAND)).toBe(SAMPLE);
});

const written = () => [BRAND, STYLESHEET, '.env'].map(read);

inTerminal('the questions propose what --yes takes: the same files are written', async () => {
  const ends = existsSync(join(copy.home, 'sample/products.csv')) ? ['Delete the sample products'] : [];
  const byQuestions = await answerQuestions(
    copy.home,
    accept([...FLOW_QUESTIONS, ...LOCALE_QUESTIONS, ...SHOP_QUESTIONS, 'Payments through', ...ends]),
  );
  const asked = written();
  rmSync(join(copy.home, '.env'));
  const byDefault = await setup(['--yes']);

  expect(byQuestions).toMatchObject({ code: 0, unanswered: [] });
  expect(byQuestions.output).toContain('--legal-name, --address, --phone, --email');
  expect([byDefault.code, asked]).toEqual([0, written()]);
});

inTerminal(
  'a second run proposes what .env and the shop have, and keeps the secrets without showing them',
  async () => {
    const own = ['--name', 'Teclas', '--email', 'hola@teclas.mx'];
    const gateway = {
      PAYMENTS_BASE_URL: 'https://app.pay.example',
      CHECKOUT_API_URL: 'https://api.pay.example',
      TOKENIZER_URL: 'https://vault.pay.example',
      PAYMENTS_API_KEY: 'test_5f0c9a7b',
      WEBHOOK_AUTH: 'bearer:Zx81kQpL0v7RtY3n',
    };
    await setup(['--yes', ...own], gateway);
    const before = read('.env');
    const urls = ['PAYMENTS_BASE_URL', 'CHECKOUT_API_URL', ...(FLOW_IDS.includes('card') ? ['TOKENIZER_URL'] : [])];
    const secrets = ['PAYMENTS_API_KEY, empty', 'WEBHOOK_AUTH, empty'];
    const ends = existsSync(join(copy.home, 'sample/products.csv')) ? ['Delete the sample products'] : [];

    const { code, unanswered, output } = await answerQuestions(copy.home, [
      ['.env exists', 'y'],
      ...accept([
        ...FLOW_QUESTIONS,
        ...LOCALE_QUESTIONS,
        ...SHOP_QUESTIONS,
        'Payments through',
        ...urls,
        ...secrets,
        ...ends,
      ]),
    ]);

    expect([code, unanswered, read('.env')]).toEqual([0, [], before]);
    for (const name of ['PAYMENTS_API_KEY', 'WEBHOOK_AUTH'] as const) expect(output).not.toContain(gateway[name]);
  },
);

inTerminal('a sample address is refused at its question', async () => {
  const [before, after] = [SHOP_QUESTIONS.slice(0, -2), SHOP_QUESTIONS.slice(-1)];
  const ends = existsSync(join(copy.home, 'sample/products.csv')) ? ['Delete the sample products'] : [];

  const { code, unanswered } = await answerQuestions(copy.home, [
    ...accept([...FLOW_QUESTIONS, ...LOCALE_QUESTIONS, ...before]),
    ['E-mail address', `${CLEAR}hola@jacaranda.example${ENTER}`],
    ['is a sample value', `${CLEAR}hola@casajacaranda.mx${ENTER}`],
    ...accept([...after, 'Payments through', ...ends]),
  ]);

  expect([code, unanswered]).toEqual([0, []]);
  expect(read(BRAND)).toContain("email: 'hola@casajacaranda.mx'");
  expect(config().config.merchantEmail).toBe(hasNotices ? 'hola@casajacaranda.mx' : undefined);
});
