/** The options of `npm run setup`. */
import type { parseArgs } from 'node:util';
import { FLOW_IDS } from '../../src/shop/rules/flows.js';
import { LOCALES } from '../../src/shop/rules/locales.js';
import { ASKED_SETTINGS } from './gateway-settings.js';

export const USAGE = `npm run setup -- [--yes] [options]
  --yes             asks no questions, and takes what they propose. Reads the answers from the options below, and these
                    settings from the environment: ${ASKED_SETTINGS.join(', ')}.
                    An absent option or setting keeps its value.
  --force           replaces values of an existing .env without asking
  --preset full|small --without a,b
                    removes the parts that the preset does not have, and the named parts, in one commit:
                    npm run features lists them. small also removes the template's own tests
  --dry-run         changes nothing, prints what would change
  --json            prints JSON, needs --yes
  --name NAME --color #RRGGBB --order-prefix XX
  --legal-name NAME --address ADDRESS --phone PHONE --whatsapp PHONE --email ADDRESS
  --flows ${FLOW_IDS.join()} --locales ${LOCALES.join()}
                    sets both, and removes the other payment flows and locales
  --clear-sample    deletes the sample products and the development database`;

const flag = { type: 'boolean', default: false } as const;
const text = { type: 'string' } as const;
export const OPTIONS = {
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

export type Options = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values'];
