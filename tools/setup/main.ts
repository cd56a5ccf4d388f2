/** `npm run setup`: asks questions and writes `.env` and `src/locales/brand.ts`. Changes no other file. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import dotenv from 'dotenv';
import { projectRoot } from '../../src/project-root.js';
import { isShopName, NAME_RULE, shopNameIn, withSenderName, withSettings, withShopName } from './files.js';
import { type Answers, ASKED_SETTINGS, askQuestions, confirmChange } from './questions.js';

const USAGE = `npm run setup -- [--yes] [--name NAME] [--force]
  --yes     asks no questions. Reads the shop name from --name and these settings from the environment:
            ${ASKED_SETTINGS.join(', ')}.
            An absent name or setting keeps its value.
  --force   changes an existing .env without asking`;

const flag = { type: 'boolean', default: false } as const;
const OPTIONS = { help: flag, yes: flag, force: flag, name: { type: 'string' } } as const;
type Options = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values'];

const root = `${projectRoot}/`;
const [envPath, brandPath] = [`${root}.env`, `${root}src/locales/brand.ts`];

async function setup({ yes, force, name: givenName }: Options): Promise<void> {
  if (!yes && !process.stdin.isTTY)
    throw new Error(`The questions need a terminal. Without one, use --yes.\n${USAGE}`);
  if (existsSync(envPath) && !force) {
    if (yes) throw new Error('.env exists: use --force to change it.');
    await confirmChange();
  }
  const envFile = readFileSync(existsSync(envPath) ? envPath : `${root}.env.example`, 'utf8');
  const brandFile = readFileSync(brandPath, 'utf8');
  const shopName = shopNameIn(brandFile);
  const { name, settings } = yes
    ? answersFromEnvironment(givenName ?? shopName)
    : await askQuestions(givenName ?? shopName);
  if (!isShopName(name)) throw new Error(`--name ${NAME_RULE}`);
  const { MAIL_FROM: sender } = dotenv.parse(envFile);
  const newEnvFile = withSettings(envFile, {
    ...settings,
    ...('LOCALES' in settings && { DEFAULT_LOCALE: '' }),
    ...(name !== shopName && { MAIL_FROM: withSenderName(sender || 'tienda@localhost', name) }),
  });
  const newBrandFile = withShopName(brandFile, name);
  writeFileSync(envPath, newEnvFile, { mode: 0o600 });
  writeFileSync(brandPath, newBrandFile);
  console.log('Wrote .env and src/locales/brand.ts. Next: npm start, and npm run doctor for a gateway.');
}

function answersFromEnvironment(name: string): Answers {
  const given = ASKED_SETTINGS.flatMap((setting) => {
    const value = process.env[setting];
    return value === undefined ? [] : [[setting, value]];
  });
  return { name, settings: Object.fromEntries(given) };
}

try {
  const options: Options = parseArgs({ options: OPTIONS }).values;
  if (options.help) console.log(USAGE);
  else await setup(options);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
