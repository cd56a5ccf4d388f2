/** `npm run setup`: asks questions and writes `.env` and `src/locales/brand.ts`. Changes no other file. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import dotenv from 'dotenv';
import { projectRoot } from '../../src/project-root.js';
import { isShopName, NAME_RULE, shopNameIn, withSenderName, withSettings, withShopName } from './files.js';
import { type Answers, ASKED, ask, confirmChange } from './questions.js';

const USAGE = `npm run setup -- [--yes] [--name NAME] [--force]
  --yes     asks nothing. Takes the shop name from --name and these settings from the environment:
            ${ASKED.join(', ')}.
            What is not given keeps its present value.
  --force   changes an existing .env without asking`;

const flag = { type: 'boolean', default: false } as const;
const OPTIONS = { help: flag, yes: flag, force: flag, name: { type: 'string' } } as const;
type Options = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values'];

const root = `${projectRoot}/`;
const [envPath, brandPath] = [`${root}.env`, `${root}src/locales/brand.ts`];

async function setup({ yes, force, name: givenName }: Options): Promise<void> {
  if (!yes && !process.stdin.isTTY) throw new Error(`There is no terminal: use --yes.\n${USAGE}`);
  if (existsSync(envPath) && !force) {
    if (yes) throw new Error('.env exists: use --force to change it.');
    await confirmChange();
  }
  const envFile = readFileSync(existsSync(envPath) ? envPath : `${root}.env.example`, 'utf8');
  const brandFile = readFileSync(brandPath, 'utf8');
  const shopName = shopNameIn(brandFile);
  const { name, settings } = yes ? answersIn(givenName ?? shopName) : await ask(givenName ?? shopName);
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

function answersIn(name: string): Answers {
  const given = ASKED.flatMap((setting) => {
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
