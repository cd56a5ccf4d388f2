import { CANCEL_SYMBOL, confirm, multiselect, password, select, text } from '@clack/prompts';
import { FEATURE_NOTICES } from '../../src/features/settings.js';
import { FLOW_IDS } from '../../src/shop/rules/flows.js';
import { LOCALES } from '../../src/shop/rules/locales.js';
import { proposePrefix } from './default-answers.js';
import { SAMPLE_PROBLEM, type ShopAnswers, sampleAnswers, shopSchema } from './files.js';
import {
  ASKED_SECRETS,
  GATEWAY_SETTINGS,
  gatewayUrlsOf,
  type SettingAnswers,
  settingProblem,
} from './gateway-settings.js';
import { isKept, listParts, type PartList, type PartOptions, selectParts, withoutParts } from './parts.js';

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
  email: 'E-mail address for customers',
  orderPrefix: 'Two letters before each order number',
};

/** Returns what the shop without the removed parts mails to `MERCHANT_EMAIL` about. */
export function noticesWithout(removed: readonly string[]): readonly string[] {
  return Object.entries(FEATURE_NOTICES).flatMap(([feature, notices]) => (removed.includes(feature) ? [] : notices));
}

/** Asks about the shop. `proposed` has the default answers. Throws when the merchant cancels. */
export async function askAboutShop(proposed: ShopAnswers, notices: readonly string[]): Promise<ShopAnswers> {
  const answers = { ...proposed };
  const followsName = proposed.orderPrefix === proposePrefix(proposed.name);
  const also = notices.length > 0 ? `, also for notices: ${notices.join(', ')}` : '';
  for (const key of Object.keys(QUESTIONS) as (keyof ShopAnswers)[]) {
    const message = key === 'email' ? `${QUESTIONS.email}${also}` : QUESTIONS[key];
    const initialValue = key === 'orderPrefix' && followsName ? proposePrefix(answers.name) : proposed[key];
    const validate = (value = '') => answerProblem(key, value, proposed[key]);
    answers[key] = await answer(text({ message, initialValue, validate }));
  }
  return answers;
}

/** The proposed answer may be a sample, which the merchant replaces later. */
function answerProblem(key: keyof ShopAnswers, value: string, proposed: string): string | undefined {
  const { error } = shopSchema.shape[key].safeParse(value);
  if (error) return error.issues[0]?.message;
  return value !== proposed && sampleAnswers({ [key]: value }).length > 0 ? SAMPLE_PROBLEM : undefined;
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
  const chosen = yes || isGiven ? {} : await askForParts(list);
  const names = new Set(selectParts(list, { ...options, ...chosen }));
  if (yes || names.has(TEMPLATE) || !isKept(list, TEMPLATE)) return [...names];
  return (await askToRemoveTemplate()) ? [...names, TEMPLATE] : [...names];
}

/** The default is to remove none. */
async function askForParts(list: PartList): Promise<Pick<PartOptions, 'preset' | 'without'>> {
  const rooms = list.parts.filter(({ kind, name }) => kind === 'room' && isKept(list, name));
  const presets = Object.entries(list.presets).map(([value, removed]) => {
    const kept = rooms.filter(({ name }) => !removed.includes(name)).map(({ name }) => name);
    return { value, label: `${value}: ${removed.length === 0 ? 'all' : `only ${kept.join(', ')}`}` };
  });
  const options = [...presets, { value: CHOICE, label: 'choose what to remove' }];
  const preset = await answer(select({ message: 'Features', options, initialValue: 'full' }));
  if (preset !== CHOICE) return { preset };
  const parts = list.parts.filter(({ kind, name }) => kind !== 'template' && isKept(list, name));
  const choices = parts.map(({ name, purpose }) => ({ value: name, hint: purpose }));
  const without = await answer(multiselect({ message: 'Parts to remove', options: choices, required: false }));
  return { without: without.join() };
}

function askToRemoveTemplate(): Promise<boolean> {
  const message = 'Remove what only the template needs: the tests of its documents and recipes, and docs/internals?';
  return answer(confirm({ message, initialValue: false }));
}

const FLOW_LABELS = { hosted: 'the payment page of the gateway', card: 'a card form on your own page' };

/** Asks for those of the payment flows that are not removed, if there are several. Throws when the merchant cancels. */
export async function askFlows(removed: readonly string[], proposed: readonly string[]): Promise<readonly string[]> {
  const kept = withoutParts(FLOW_IDS, removed);
  if (kept.length === 1) return kept;
  const options = kept.map((value) => ({ value, label: `${value}: ${FLOW_LABELS[value]}` }));
  const initialValues = kept.filter((flow) => proposed.includes(flow));
  return answer(multiselect({ message: 'Payment flows. Those that you deselect are removed', options, initialValues }));
}

/** Asks for those of the locales that are not removed. Returns the chosen ones, the default first. */
export async function askLocales(removed: readonly string[], proposed: readonly string[]): Promise<readonly string[]> {
  const kept = withoutParts(LOCALES, removed);
  if (kept.length === 1) return kept;
  const options = kept.map((value) => ({ value }));
  const initialValues = kept.filter((locale) => proposed.includes(locale));
  const chosen = await answer(
    multiselect({ message: 'Languages. Those that you deselect are removed', options, initialValues }),
  );
  if (chosen.length === 1) return chosen;
  const ordered = chosen.map((value) => ({ value }));
  const initialValue = chosen.find((locale) => locale === proposed[0]) ?? chosen[0];
  const first = await answer(select({ message: 'Default language', options: ordered, initialValue }));
  return [first, ...chosen.filter((each) => each !== first)];
}

/** Asks for the gateway. Proposed secrets are not shown. Throws when the merchant cancels. */
export async function askGateway(offersCard: boolean, proposed: SettingAnswers): Promise<SettingAnswers> {
  const options = [
    { value: 'simulator', label: 'The simulator (no account, no real money)' },
    { value: 'gateway', label: 'The payment gateway (addresses and key)' },
  ];
  const urls = gatewayUrlsOf(offersCard);
  const initialValue = urls.some((name) => proposed[name]) ? 'gateway' : 'simulator';
  if ((await answer(select({ message: 'Payments through', options, initialValue }))) === 'simulator')
    return Object.fromEntries(GATEWAY_SETTINGS.map((name) => [name, '']));
  const answers: Record<string, string> = {};
  for (const name of urls) {
    const validate = (value = '') => settingProblem(name, value);
    const initialValue = proposed[name] ?? '';
    answers[name] = await answer(text({ message: name, placeholder: 'https://…', initialValue, validate }));
  }
  for (const name of ASKED_SECRETS) {
    const kept = proposed[name] ?? '';
    const validate = (value = '') => (value === '' && kept !== '' ? undefined : settingProblem(name, value));
    const message = kept === '' ? name : `${name}, empty to keep it`;
    answers[name] = (await answer(password({ message, validate }))) || kept;
  }
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
