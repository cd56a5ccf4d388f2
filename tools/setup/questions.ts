import { CANCEL_SYMBOL, confirm, multiselect, password, select, text } from '@clack/prompts';
import { settingsSchema } from '../../src/config/settings.js';
import { PAYMENT_FLOWS } from '../../src/payments/rules/index.js';
import { LOCALES } from '../../src/shop/rules/locales.js';
import { type ShopAnswers, shopSchema } from './files.js';

const GATEWAY_URLS = ['PAYMENTS_BASE_URL', 'CHECKOUT_API_URL', 'TOKENIZER_URL'] as const;
const SECRETS = ['PAYMENTS_API_KEY', 'WEBHOOK_AUTH'] as const;
/** Cleared when the merchant chooses the simulator. */
const GATEWAY_SETTINGS = [...GATEWAY_URLS, ...SECRETS, 'CHECKOUT_PAGE_ORIGINS', 'PAYMENTS_SIGNING_SECRET'];
export const ASKED_SETTINGS = ['PAYMENT_FLOWS', 'LOCALES', ...GATEWAY_URLS, ...SECRETS] as const;

/** Values by setting name. Absent settings keep their value. */
export type SettingAnswers = Readonly<Record<string, string>>;

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

/** Asks for payment flows, locales and gateway. Throws when the merchant cancels. */
export async function askForSettings(): Promise<SettingAnswers> {
  const flows = [
    { value: 'hosted', label: 'hosted: the payment page of the gateway' },
    { value: 'card', label: 'card: a card form on your own page' },
  ];
  const paymentFlows = await answer(
    multiselect({ message: 'Payment flows', options: flows, initialValues: [...PAYMENT_FLOWS] }),
  );
  const locales = await askLocales();
  const gateway = await askGateway(paymentFlows.includes('card'));
  return { PAYMENT_FLOWS: paymentFlows.join(), LOCALES: locales.join(), ...gateway };
}

/** Returns the chosen locales, the default first. */
async function askLocales(): Promise<readonly string[]> {
  const options = LOCALES.map((value) => ({ value }));
  const chosen = await answer(multiselect({ message: 'Languages', options, initialValues: [...LOCALES] }));
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
  for (const name of GATEWAY_URLS.filter((each) => offersCard || each !== 'TOKENIZER_URL')) {
    const validate = settingsSchema.shape[name];
    answers[name] = await answer(text({ message: name, placeholder: 'https://…', validate }));
  }
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
