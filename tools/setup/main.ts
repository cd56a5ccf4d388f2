/**
 * `npm run setup`: asks questions, removes the parts that the shop does not need, and writes `.env`,
 * `src/locales/brand.ts`, the main color in `public/shop.css` and a plain logo.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import dotenv from 'dotenv';
import { brand } from '../../src/locales/brand.js';
import { projectRoot } from '../../src/project-root.js';
import { LOCALES } from '../../src/shop/rules/locales.js';
import {
  type Answers,
  type Choices,
  choicesIn,
  defaultAnswers,
  merchantEmail,
  optionOf,
  refuseSamples,
} from './default-answers.js';
import {
  colorIn,
  plainLogo,
  replacedSettings,
  replacesSample,
  type ShopAnswers,
  sampleAnswers,
  shopSchema,
  withAnswers,
  withBrand,
  withColor,
  withSettings,
} from './files.js';
import type { SettingAnswers } from './gateway-settings.js';
import { OPTIONS, type Options, USAGE } from './options.js';
import { canRemoveParts, type Removal, removeParts } from './parts.js';
import {
  askAboutShop,
  askFlows,
  askGateway,
  askLocales,
  askToClearSample,
  chooseParts,
  confirmChange,
  noticesWithout,
} from './questions.js';
import { describeReport } from './report.js';

const BRAND = 'src/locales/brand.ts';
const STYLESHEET = 'public/shop.css';
const SAMPLE_CATALOG = 'sample/products.csv';
const DATABASE = 'data/tianguis.db';
/** Without the catalog file, an empty catalog stays empty. The database is the one of development, whatever `.env` names. */
const SAMPLE_FILES = [SAMPLE_CATALOG, ...['', '-wal', '-shm'].map((end) => `${DATABASE}${end}`)];
const LOGOS = ['public/logo.svg', 'public/favicon.svg'];

process.chdir(projectRoot);
try {
  await setup();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function setup(): Promise<void> {
  const options = readOptions();
  if (options.help) return console.log(USAGE);
  const env = existsSync('.env') ? readFileSync('.env', 'utf8') : undefined;
  const stylesheet = readFileSync(STYLESHEET, 'utf8');
  const { parts, plan, answers } = await findAnswers(options, env, colorIn(stylesheet));
  const envFile = () => envWith(env, answers.settings, options.force || !options.yes);
  // Throws for a wrong setting before anything is changed.
  const written = [...(envFile() === env ? [] : ['.env']), ...changedBrandFiles(answers.shop, stylesheet)];
  // A deletion removes a link, and not what it leads to.
  await requireOwnFiles(['.env', ...written, ...(answers.clearsSample ? SAMPLE_FILES.map(dirname) : [])]);
  if (options['dry-run']) return printReport(plan, written, answers, options);
  // The removal needs a tree without changes. It also writes .env.example.
  const removal = removeParts(parts, { isDryRun: false });
  writeFileSync('.env', envFile(), { mode: 0o600 });
  writeBrand(answers.shop, stylesheet, written);
  if (answers.clearsSample) for (const file of SAMPLE_FILES) rmSync(file, { force: true });
  printReport(removal, written, answers, options);
}

/** Throws an error for options that are wrong or need a terminal. */
function readOptions(): Options {
  const { values: options } = parseArgs({ options: OPTIONS });
  const { help, yes, json } = options;
  if (help) return options;
  if (json && !yes) throw new Error('--json asks no questions: use it with --yes.');
  if (!yes && !process.stdin.isTTY) throw new Error(`The questions need a terminal. Without one, use --yes.\n${USAGE}`);
  refuseSamples(options);
  return options;
}

/** Returns the default answers, with `--yes`, or those of the merchant, the parts to remove, and the plan of their removal. */
async function findAnswers(options: Options, env: string | undefined, color: string) {
  const { yes, force } = options;
  if (env !== undefined && !yes && !force) await confirmChange();
  const chosen = await chooseParts(options);
  const defaults = defaultAnswers(options, chosen, { environment: process.env, color });
  const proposed = envWith(env, defaults.settings, true);
  const choices = yes ? choicesIn(proposed) : await askChoices(options, chosen, choicesIn(proposed));
  const parts = [...chosen, ...deselected(choicesIn(proposed), choices)];
  const plan = removeParts(parts, { isDryRun: true });
  const notices = noticesWithout(parts);
  const given = yes ? defaults : await askAll(defaults, choices, dotenv.parse(proposed), notices);
  const shop = parseShop(given.shop);
  const isNewEmail = env === undefined || options.email !== undefined || shop.email !== brand.merchant.email;
  const settings = { ...given.settings, ...(isNewEmail && notices.length > 0 && merchantEmail(shop)) };
  return { parts, plan, answers: { ...given, shop, settings } };
}

/** Returns the text of `.env`. Without `mayReplace` the file keeps each value that it sets. */
function envWith(env: string | undefined, settings: SettingAnswers, mayReplace: boolean): string {
  const names = mayReplace ? [] : replacedSettings(env ?? '', settings);
  if (names.length > 0) throw new Error(`.env sets ${names.join(', ')}: use --force to replace the value.`);
  return withSettings(env ?? readFileSync('.env.example', 'utf8'), settings);
}

/** Asks for the payment flows and locales that no option names. */
async function askChoices(options: Options, removed: readonly string[], proposed: Choices): Promise<Choices> {
  return {
    flows: options.flows === undefined ? await askFlows(removed, proposed.flows) : proposed.flows,
    locales: options.locales === undefined ? await askLocales(removed, proposed.locales) : proposed.locales,
  };
}

/** Returns the names of the parts that the merchant deselected. The first locale is no part. */
function deselected(proposed: Choices, chosen: Choices): readonly string[] {
  const kept = [...chosen.flows, ...chosen.locales, LOCALES[0]];
  const names = [...proposed.flows, ...proposed.locales].filter((name) => !kept.includes(name));
  return canRemoveParts() ? names.map((name) => name.toLowerCase()) : [];
}

async function askAll(
  { shop, clearsSample }: Answers,
  { flows, locales }: Choices,
  proposed: SettingAnswers,
  notices: readonly string[],
): Promise<Answers> {
  const answers = await askAboutShop(shop, notices);
  const gateway = await askGateway(flows.includes('card'), proposed);
  return {
    shop: answers,
    settings: { PAYMENT_FLOWS: flows.join(), LOCALES: locales.join(), DEFAULT_LOCALE: '', ...gateway },
    clearsSample: clearsSample || (existsSync(SAMPLE_CATALOG) && (await askToClearSample())),
  };
}

function parseShop(answers: ShopAnswers): ShopAnswers {
  const { data, error } = shopSchema.safeParse(answers);
  if (error) throw new Error(error.issues.map(({ path, message }) => `${optionOf(path[0])} ${message}`).join('\n'));
  return data;
}

/** Throws an error if one of these paths is a link. The module is no part of the build. */
async function requireOwnFiles(paths: readonly string[]): Promise<void> {
  const { href } = pathToFileURL(join(projectRoot, 'tools/dev/own-paths.js'));
  const { requireOwnPaths } = (await import(href)) as OwnPaths;
  requireOwnPaths(projectRoot, paths);
}

interface OwnPaths {
  requireOwnPaths(root: string, paths: readonly string[]): void;
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
  { shop, settings, clearsSample }: Answers,
  options: Options,
) {
  const report = {
    isDryRun: options['dry-run'],
    removed,
    unusedPackages,
    settings: Object.keys(settings),
    written,
    deleted: clearsSample ? SAMPLE_FILES : [],
    samples: sampleAnswers(shop).map(optionOf),
  };
  console.log(options.json ? JSON.stringify(report, null, 2) : describeReport(report));
}
