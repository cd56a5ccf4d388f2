/** `npm run setup`: asks questions and writes `.env`, `src/locales/brand.ts`, the main color in `public/shop.css` and a plain logo. */

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { brand } from '../../src/locales/brand.js';
import { projectRoot } from '../../src/project-root.js';
import {
  COLOR_RULE,
  colorIn,
  EMAIL_RULE,
  isColor,
  isEmail,
  isShopName,
  NAME_RULE,
  plainLogo,
  replacesSample,
  type ShopAnswers,
  withAnswers,
  withBrand,
  withColor,
  withSettings,
} from './files.js';
import { type Answers, ASKED_SETTINGS, askQuestions, confirmChange } from './questions.js';

const USAGE = `npm run setup -- [--yes] [--name NAME] [--color #RRGGBB] [--email ADDRESS] [--force]
  --yes     asks no questions. Reads the shop name, the main color and the merchant's email address from
            the options, and these settings from the environment:
            ${ASKED_SETTINGS.join(', ')}.
            An absent option or setting keeps its value.
  --force   changes an existing .env without asking`;

const flag = { type: 'boolean', default: false } as const;
const text = { type: 'string' } as const;
const OPTIONS = { help: flag, yes: flag, force: flag, name: text, color: text, email: text } as const;
type Options = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values'];

const BIOME = 'node_modules/@biomejs/biome/bin/biome';
const fileOf = (path: string) => `${projectRoot}/${path}`;
const envPath = fileOf('.env');
const brandPath = fileOf('src/locales/brand.ts');
const stylesheetPath = fileOf('public/shop.css');

async function setup({ yes, force, ...given }: Options): Promise<void> {
  if (!yes && !process.stdin.isTTY)
    throw new Error(`The questions need a terminal. Without one, use --yes.\n${USAGE}`);
  if (existsSync(envPath) && !force) {
    if (yes) throw new Error('.env exists: use --force to change it.');
    await confirmChange();
  }
  const envFile = readFileSync(existsSync(envPath) ? envPath : fileOf('.env.example'), 'utf8');
  const stylesheet = readFileSync(stylesheetPath, 'utf8');
  const initial = {
    name: given.name ?? brand.name,
    color: given.color ?? colorIn(stylesheet),
    email: given.email ?? brand.merchant.email,
  };
  const { shop, settings } = yes
    ? { shop: initial, settings: settingsFromEnvironment() }
    : await askQuestions(initial);
  refuseInvalid(shop);
  const locales = 'LOCALES' in settings && { DEFAULT_LOCALE: '' };
  const newEnvFile = withSettings(envFile, { ...settings, ...locales });
  writeFileSync(envPath, newEnvFile, { mode: 0o600 });
  writeFileSync(brandPath, withBrand(readFileSync(brandPath, 'utf8'), withAnswers(brand, shop)));
  execFileSync(process.execPath, [BIOME, 'format', '--write', brandPath], {
    cwd: projectRoot,
    stdio: 'pipe',
  });
  writeFileSync(stylesheetPath, withColor(stylesheet, shop.color));
  if (replacesSample(brand, shop))
    for (const file of ['logo.svg', 'favicon.svg']) writeFileSync(fileOf(`public/${file}`), plainLogo(shop));
  console.log(
    'Wrote .env, src/locales/brand.ts, the color in public/shop.css, and a plain logo for a new name. Next: npm start, and npm run doctor for a gateway.',
  );
}

function refuseInvalid({ name, color, email }: ShopAnswers): void {
  if (!isShopName(name)) throw new Error(`--name ${NAME_RULE}`);
  if (!isColor(color)) throw new Error(`--color ${COLOR_RULE}`);
  if (!isEmail(email)) throw new Error(`--email ${EMAIL_RULE}`);
}

function settingsFromEnvironment(): Answers['settings'] {
  const given = ASKED_SETTINGS.flatMap((setting) => {
    const value = process.env[setting];
    return value === undefined ? [] : [[setting, value]];
  });
  return Object.fromEntries(given);
}

try {
  const options: Options = parseArgs({ options: OPTIONS }).values;
  if (options.help) console.log(USAGE);
  else await setup(options);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
