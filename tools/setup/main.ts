/**
 * `npm run setup`: asks questions, removes the parts that the shop does not need, and writes `.env`,
 * `src/locales/brand.ts`, the main color in `public/shop.css` and a plain logo.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { brand } from '../../src/locales/brand.js';
import { projectRoot } from '../../src/project-root.js';
import { FLOW_IDS } from '../../src/shop/rules/flows.js';
import { LOCALES } from '../../src/shop/rules/locales.js';
import {
  colorIn,
  orderPrefixOf,
  plainLogo,
  replacedSettings,
  replacesSample,
  type ShopAnswers,
  shopSchema,
  withAnswers,
  withBrand,
  withColor,
  withSettings,
} from './files.js';
import { requireOwnFiles } from './own-files.js';
import { type Removal, removeParts, withoutParts } from './parts.js';
import {
  ASKED_SETTINGS,
  askAboutShop,
  askForSettings,
  askToClearSample,
  chooseParts,
  confirmChange,
  type SettingAnswers,
} from './questions.js';
import { describeReport } from './report.js';

const USAGE = `npm run setup -- [--yes] [options]
  --yes             asks no questions. Reads the answers from the options below, and these settings from
                    the environment: ${ASKED_SETTINGS.join(', ')}.
                    An absent option or setting keeps its value.
  --force           replaces values of an existing .env without asking
  --preset full|small --without a,b
                    removes the parts that the preset does not have, and the named parts, in one commit:
                    npm run features lists them. small with --yes also removes the template's own tests
  --dry-run         changes nothing, prints what would change
  --json            prints JSON, needs --yes
  --name NAME --color #RRGGBB --order-prefix XX
  --legal-name NAME --address ADDRESS --phone PHONE --whatsapp PHONE --email ADDRESS
  --flows hosted,card --locales es-MX,en
                    sets both, and removes the other payment flows and locales
  --clear-sample    deletes the sample products and the development database`;

const flag = { type: 'boolean', default: false } as const;
const text = { type: 'string' } as const;
const OPTIONS = {
  help: flag,
  yes: flag,
  force: flag,
  'dry-run': flag,
  json: flag,
  preset: text,
  without: text,
  'clear-sample': flag,
  name: text,
  color: text,
  'order-prefix': text,
  'legal-name': text,
  address: text,
  phone: text,
  whatsapp: text,
  email: text,
  flows: text,
  locales: text,
} as const;

const BRAND = 'src/locales/brand.ts';
const STYLESHEET = 'public/shop.css';
const SAMPLE_CATALOG = 'sample/products.csv';
const DATABASE = 'data/tianguis.db';
/** Without the catalog file, an empty catalog stays empty. The database is the one of development, whatever `.env` names. */
const SAMPLE_FILES = [SAMPLE_CATALOG, ...['', '-wal', '-shm'].map((end) => `${DATABASE}${end}`)];
const LOGOS = ['public/logo.svg', 'public/favicon.svg'];

interface Answers {
  readonly shop: ShopAnswers;
  readonly settings: SettingAnswers;
  readonly clearsSample: boolean;
}

type Options = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values'];

process.chdir(projectRoot);
try {
  await setup();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function setup(): Promise<void> {
  const { values: options } = parseArgs({ options: OPTIONS });
  const { help, yes, force, json, 'dry-run': isDryRun } = options;
  if (help) return console.log(USAGE);
  if (json && !yes) throw new Error('--json asks no questions: use it with --yes.');
  if (!yes && !process.stdin.isTTY) throw new Error(`The questions need a terminal. Without one, use --yes.\n${USAGE}`);
  const env = existsSync('.env') ? readFileSync('.env', 'utf8') : undefined;
  if (env !== undefined && !yes && !force) await confirmChange();
  const parts = await chooseParts(options);
  const plan = removeParts(parts, { isDryRun: true });
  const stylesheet = readFileSync(STYLESHEET, 'utf8');
  const current = currentAnswers(stylesheet, options);
  const answers = yes ? givenAnswers(current, options, parts) : await askAll(current, options, parts);
  const envFile = () => envWith(env, answers.settings, force || !yes);
  // Throws for a wrong setting before anything is changed.
  const written = [...(envFile() === env ? [] : ['.env']), ...changedBrandFiles(answers.shop, stylesheet)];
  // A deletion removes a link, and not what it leads to.
  requireOwnFiles(['.env', ...written, ...(answers.clearsSample ? SAMPLE_FILES.map(dirname) : [])]);
  if (isDryRun) return printReport(plan, written, answers, options);
  // The removal needs a tree without changes. It also writes .env.example.
  const removal = removeParts(parts, { isDryRun: false });
  writeFileSync('.env', envFile(), { mode: 0o600 });
  writeBrand(answers.shop, stylesheet, written);
  if (answers.clearsSample) for (const file of SAMPLE_FILES) rmSync(file, { force: true });
  printReport(removal, written, answers, options);
}

/** Returns the text of `.env`. Without `mayReplace` the file keeps each value that it sets. */
function envWith(env: string | undefined, settings: SettingAnswers, mayReplace: boolean): string {
  const names = mayReplace ? [] : replacedSettings(env ?? '', settings);
  if (names.length > 0) throw new Error(`.env sets ${names.join(', ')}: use --force to replace the value.`);
  return withSettings(env ?? readFileSync('.env.example', 'utf8'), settings);
}

async function askAll(current: ShopAnswers, options: Options, parts: readonly string[]): Promise<Answers> {
  const shop = shopSchema.parse(await askAboutShop(current, proposePrefix));
  const settings = { ...(await askForSettings(options, parts)), DEFAULT_LOCALE: '', MERCHANT_EMAIL: shop.email };
  const clearsSample = options['clear-sample'] || (existsSync(SAMPLE_CATALOG) && (await askToClearSample()));
  return { shop, settings, clearsSample };
}

function givenAnswers(current: ShopAnswers, options: Options, parts: readonly string[]): Answers {
  const { data: shop, error } = shopSchema.safeParse(current);
  if (error) throw new Error(error.issues.map(({ path, message }) => `${optionOf(path[0])} ${message}`).join('\n'));
  const merchant = options.email !== undefined && { MERCHANT_EMAIL: shop.email };
  const settings = { ...settingsFromEnvironment(), ...choicesOf(options, parts), ...merchant };
  const reset = 'LOCALES' in settings && { DEFAULT_LOCALE: '' };
  return { shop, settings: { ...settings, ...reset }, clearsSample: options['clear-sample'] };
}

/** Returns payment flows and locales: those of the options, otherwise what a removal leaves. */
function choicesOf({ flows, locales }: Options, parts: readonly string[]): SettingAnswers {
  const keptFlows = withoutParts(FLOW_IDS, parts);
  const keptLocales = withoutParts(LOCALES, parts);
  return {
    ...(keptFlows.length < FLOW_IDS.length && { PAYMENT_FLOWS: keptFlows.join() }),
    ...(keptLocales.length < LOCALES.length && { LOCALES: keptLocales.join() }),
    ...(flows !== undefined && { PAYMENT_FLOWS: flows }),
    ...(locales !== undefined && { LOCALES: locales }),
  };
}

/** The answers of the options, and for absent ones the values of the shop. */
function currentAnswers(stylesheet: string, options: Options): ShopAnswers {
  const name = options.name ?? brand.name;
  return {
    name,
    color: options.color ?? colorIn(stylesheet),
    legalName: options['legal-name'] ?? brand.merchant.legalName,
    address: options.address ?? brand.merchant.address,
    phone: options.phone ?? brand.merchant.phone,
    whatsapp: options.whatsapp ?? brand.whatsapp,
    email: options.email ?? brand.merchant.email,
    orderPrefix: options['order-prefix'] ?? proposePrefix(name),
  };
}

/** A shop with its own name keeps its prefix. */
function proposePrefix(name: string): string {
  return replacesSample(brand, { name }) ? orderPrefixOf(name) : brand.orderPrefix;
}

function optionOf(name: unknown): string {
  return `--${String(name).replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function settingsFromEnvironment(): SettingAnswers {
  const given = ASKED_SETTINGS.map((name) => [name, process.env[name]]);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

/** Returns the files of the brand that the answers change. */
function changedBrandFiles(shop: ShopAnswers, stylesheet: string): readonly string[] {
  return [
    ...(isDeepStrictEqual(withAnswers(brand, shop), brand) ? [] : [BRAND]),
    ...(withColor(stylesheet, shop.color) === stylesheet ? [] : [STYLESHEET]),
    ...(replacesSample(brand, shop) ? LOGOS : []),
  ];
}

function writeBrand(shop: ShopAnswers, stylesheet: string, written: readonly string[]): void {
  if (written.includes(BRAND)) {
    writeFileSync(BRAND, withBrand(readFileSync(BRAND, 'utf8'), withAnswers(brand, shop)));
    const biome = ['node_modules/@biomejs/biome/bin/biome', 'format', '--write', BRAND];
    execFileSync(process.execPath, biome, { stdio: 'pipe' });
  }
  if (written.includes(STYLESHEET)) writeFileSync(STYLESHEET, withColor(stylesheet, shop.color));
  for (const file of LOGOS) if (written.includes(file)) writeFileSync(file, plainLogo(shop));
}

function printReport(
  { removed, unusedPackages = [] }: Removal,
  written: readonly string[],
  { settings, clearsSample }: Answers,
  options: Options,
) {
  const report = {
    isDryRun: options['dry-run'],
    removed,
    unusedPackages,
    settings: Object.keys(settings),
    written,
    deleted: clearsSample ? SAMPLE_FILES : [],
  };
  console.log(options.json ? JSON.stringify(report, null, 2) : describeReport(report));
}
