/** `npm run setup`: asks questions and writes `.env`, `src/locales/brand.ts`, the main color in `public/shop.css` and a plain logo. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { brand } from '../../src/locales/brand.js';
import { projectRoot } from '../../src/project-root.js';
import {
  colorIn,
  plainLogo,
  replacesSample,
  shopSchema,
  withAnswers,
  withBrand,
  withColor,
  withSettings,
} from './files.js';
import { ASKED_SETTINGS, askAboutShop, askForSettings, confirmChange, type SettingAnswers } from './questions.js';

const USAGE = `npm run setup -- [--yes] [--name NAME] [--color #RRGGBB] [--email ADDRESS] [--force]
  --yes     asks no questions. Reads the shop name, the main color and the merchant's email address from
            the options, and these settings from the environment:
            ${ASKED_SETTINGS.join(', ')}.
            An absent option or setting keeps its value.
  --force   changes an existing .env without asking`;

const flag = { type: 'boolean', default: false } as const;
const text = { type: 'string' } as const;
const OPTIONS = { help: flag, yes: flag, force: flag, name: text, color: text, email: text } as const;

const BRAND = 'src/locales/brand.ts';
const STYLESHEET = 'public/shop.css';

process.chdir(projectRoot);
try {
  await setup();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function setup(): Promise<void> {
  const { help, yes, force, ...given } = parseArgs({ options: OPTIONS }).values;
  if (help) return console.log(USAGE);
  if (!yes && !process.stdin.isTTY) throw new Error(`The questions need a terminal. Without one, use --yes.\n${USAGE}`);
  const envExists = existsSync('.env');
  if (envExists && yes && !force) throw new Error('.env exists: use --force to change it.');
  if (envExists && !force) await confirmChange();
  const stylesheet = readFileSync(STYLESHEET, 'utf8');
  const current = { name: brand.name, color: colorIn(stylesheet), email: brand.merchant.email, ...given };
  const { data: shop, error } = shopSchema.safeParse(yes ? current : await askAboutShop(current));
  if (error) throw new Error(error.issues.map(({ path, message }) => `--${String(path[0])} ${message}`).join('\n'));
  const settings = yes ? settingsFromEnvironment() : await askForSettings();
  const envFile = readFileSync(envExists ? '.env' : '.env.example', 'utf8');
  const locales = 'LOCALES' in settings && { DEFAULT_LOCALE: '' };
  writeFileSync('.env', withSettings(envFile, { ...settings, ...locales }), { mode: 0o600 });
  writeFileSync(BRAND, withBrand(readFileSync(BRAND, 'utf8'), withAnswers(brand, shop)));
  const biome = ['node_modules/@biomejs/biome/bin/biome', 'format', '--write', BRAND];
  execFileSync(process.execPath, biome, { stdio: 'pipe' });
  writeFileSync(STYLESHEET, withColor(stylesheet, shop.color));
  if (replacesSample(brand, shop))
    for (const file of ['logo.svg', 'favicon.svg']) writeFileSync(`public/${file}`, plainLogo(shop));
  console.log(
    'Wrote .env, src/locales/brand.ts, the color in public/shop.css, and a plain logo for a new name. Next: npm start, and npm run doctor for a gateway.',
  );
}

function settingsFromEnvironment(): SettingAnswers {
  const given = ASKED_SETTINGS.map((name) => [name, process.env[name]]);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}
