import { CANCEL_SYMBOL, confirm, multiselect, password, select, text } from '@clack/prompts';
import { settingsSchema } from '../../src/config/settings.js';
import { FLOW_IDS } from '../../src/shop/rules/flows.js';
import { LOCALES } from '../../src/shop/rules/locales.js';
import { type ShopAnswers, shopSchema } from './files.js';
import { isKept, listParts, type PartList, type PartOptions, selectParts, withoutParts } from './parts.js';

const GATEWAY_URLS = ['PAYMENTS_BASE_URL', 'CHECKOUT_API_URL'] as const;
/** A setting of the flow card. */
const TOKENIZER_URL = 'TOKENIZER_URL';
const SECRETS = ['PAYMENTS_API_KEY', 'WEBHOOK_AUTH'] as const;
/** Cleared when the merchant chooses the simulator. */
const GATEWAY_SETTINGS = [
  ...GATEWAY_URLS,
  TOKENIZER_URL,
  ...SECRETS,
  'CHECKOUT_PAGE_ORIGINS',
  'PAYMENTS_SIGNING_SECRET',
];
export const ASKED_SETTINGS = ['PAYMENT_FLOWS', 'LOCALES', ...GATEWAY_URLS, TOKENIZER_URL, ...SECRETS] as const;

/** Values by setting name. Absent settings keep their value. */
export type SettingAnswers = Readonly<Record<string, string>>;

/** Settings from the options, separated by commas. */
interface GivenSettings {
  readonly flows?: string | undefined;
  readonly locales?: string | undefined;
}

/** The part with the template's own tests and evidence. */
const TEMPLATE = 'template';
const CHOICE = 'choose';

const QUESTIONS: Readonly<Record<keyof ShopAnswers, string>> = {
  name: 'Shop name',
  color: 'Main color, as #RRGGBB',
  legalName: 'Legal name of the merchant, for receipts and legal pages',
  address: 'Address of the merchant',
  phone: 'Phone for customers',
  whatsapp: 'Phone number for WhatsApp, empty for none',
  email: 'E-mail address for customers, also for notices of sales',
  orderPrefix: 'Two letters before each order number',
};

/** Asks about the shop. `orderPrefixOf` proposes the prefix for a name. Throws when the merchant cancels. */
export async function askAboutShop(
  initial: ShopAnswers,
  orderPrefixOf: (name: string) => string,
): Promise<ShopAnswers> {
  const answers = { ...initial };
  for (const key of Object.keys(QUESTIONS) as (keyof ShopAnswers)[]) {
    const initialValue = key === 'orderPrefix' ? orderPrefixOf(answers.name) : initial[key];
    answers[key] = await answer(text({ message: QUESTIONS[key], initialValue, validate: shopSchema.shape[key] }));
  }
  return answers;
}

/** Asks whether to delete the sample products and the test orders. Throws when the merchant cancels. */
export function askToClearSample(): Promise<boolean> {
  const message = 'Delete the sample products, and all orders and users in data/? Stop the shop first.';
  return answer(confirm({ message, initialValue: false }));
}

/**
 * Returns the names of the parts to remove: those of the options, otherwise the answers. With `yes` it asks nothing.
 * Throws an error if the options name parts and `tools/features` is removed.
 */
export async function chooseParts(options: PartOptions & { readonly yes: boolean }): Promise<readonly string[]> {
  const { yes, preset, without } = options;
  const isGiven = preset !== undefined || without !== undefined;
  const list = listParts();
  if (list === undefined) {
    if (isGiven) throw new Error('--preset and --without need tools/features, which is removed.');
    return [];
  }
  const asked = yes || isGiven ? [] : await askForParts(list);
  const names = new Set([...asked, ...selectParts(list, options)]);
  if (names.has(TEMPLATE) || !isKept(list, TEMPLATE)) return [...names];
  const removesTemplate = yes ? preset === 'small' : await askToRemoveTemplate();
  return removesTemplate ? [...names, TEMPLATE] : [...names];
}

/** The default is to remove none. */
async function askForParts(list: PartList): Promise<readonly string[]> {
  const rooms = list.parts.filter(({ kind, name }) => kind === 'room' && isKept(list, name));
  const presets = Object.entries(list.presets).map(([value, removed]) => {
    const kept = rooms.filter(({ name }) => !removed.includes(name)).map(({ name }) => name);
    return { value, label: `${value}: ${removed.length === 0 ? 'all' : `only ${kept.join(', ')}`}` };
  });
  const options = [...presets, { value: CHOICE, label: 'choose what to remove' }];
  const preset = await answer(select({ message: 'Features', options, initialValue: 'full' }));
  if (preset !== CHOICE) return selectParts(list, { preset });
  const parts = list.parts.filter(({ kind, name }) => kind !== 'template' && isKept(list, name));
  const choices = parts.map(({ name, purpose }) => ({ value: name, hint: purpose }));
  return answer(multiselect({ message: 'Parts to remove', options: choices, required: false }));
}

function askToRemoveTemplate(): Promise<boolean> {
  const message = 'Remove what only the template needs: the tests of its documents and recipes, and docs/internals?';
  return answer(confirm({ message, initialValue: false }));
}

/**
 * Asks for the gateway, and for payment flows and locales that are not given, if the shop without the removed parts has
 * several. Throws when the merchant cancels.
 */
export async function askForSettings(given: GivenSettings, removed: readonly string[]): Promise<SettingAnswers> {
  const flows = given.flows ?? (await askFlows(withoutParts(FLOW_IDS, removed))).join();
  const locales = given.locales ?? (await askLocales(withoutParts(LOCALES, removed))).join();
  return { PAYMENT_FLOWS: flows, LOCALES: locales, ...(await askGateway(flows.includes('card'))) };
}

const FLOW_LABELS = { hosted: 'the payment page of the gateway', card: 'a card form on your own page' };

async function askFlows(kept: readonly (typeof FLOW_IDS)[number][]): Promise<readonly string[]> {
  if (kept.length === 1) return kept;
  const options = kept.map((value) => ({ value, label: `${value}: ${FLOW_LABELS[value]}` }));
  return answer(multiselect({ message: 'Payment flows', options, initialValues: [...kept] }));
}

/** Returns the chosen locales, the default first. */
async function askLocales(kept: readonly (typeof LOCALES)[number][]): Promise<readonly string[]> {
  if (kept.length === 1) return kept;
  const options = kept.map((value) => ({ value }));
  const chosen = await answer(multiselect({ message: 'Languages', options, initialValues: [...kept] }));
  if (chosen.length === 1) return chosen;
  const ordered = chosen.map((value) => ({ value }));
  const first = await answer(select({ message: 'Default language', options: ordered }));
  return [first, ...chosen.filter((each) => each !== first)];
}

async function askGateway(offersCard: boolean): Promise<SettingAnswers> {
  const options = [
    { value: 'simulator', label: 'The simulator (no account, no real money)' },
    { value: 'gateway', label: 'The payment gateway (addresses and key)' },
  ];
  if ((await answer(select({ message: 'Payments through', options }))) === 'simulator')
    return Object.fromEntries(GATEWAY_SETTINGS.map((name) => [name, '']));
  const answers: Record<string, string> = {};
  // All addresses have the same rule.
  const { PAYMENTS_BASE_URL: validate } = settingsSchema.shape;
  for (const name of offersCard ? [...GATEWAY_URLS, TOKENIZER_URL] : GATEWAY_URLS)
    answers[name] = await answer(text({ message: name, placeholder: 'https://…', validate }));
  for (const name of SECRETS)
    answers[name] = await answer(password({ message: name, validate: settingsSchema.shape[name] }));
  return answers;
}

/** Asks before an existing `.env` is changed. Throws unless the merchant agrees. */
export async function confirmChange(): Promise<void> {
  const message = '.env exists. Replace the settings of the questions and keep the others?';
  if (!(await answer(confirm({ message, initialValue: false })))) throw new Error('Nothing was written.');
}

async function answer<Value>(question: Promise<Value | typeof CANCEL_SYMBOL>): Promise<Value> {
  const value = await question;
  if (value === CANCEL_SYMBOL) throw new Error('Cancelled: nothing was written.');
  return value as Value;
}
