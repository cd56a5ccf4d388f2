import { CANCEL_SYMBOL, confirm, multiselect, password, select, text } from '@clack/prompts';
import { LOCALES } from '../../src/domain/locale.js';
import { PAYMENT_FLOWS } from '../../src/domain/order.js';
import { settingsSchema } from '../../src/settings.js';
import {
  COLOR_RULE,
  EMAIL_RULE,
  isColor,
  isEmail,
  isShopName,
  NAME_RULE,
  type ShopAnswers,
} from './files.js';

const GATEWAY_URLS = ['PAYMENTS_BASE_URL', 'CHECKOUT_API_URL', 'TOKENIZER_URL'] as const;
const SECRETS = ['PAYMENTS_API_KEY', 'WEBHOOK_AUTH'] as const;
/** Cleared when the merchant chooses the simulator. */
const GATEWAY_SETTINGS = [...GATEWAY_URLS, ...SECRETS, 'CHECKOUT_PAGE_ORIGINS', 'PAYMENTS_SIGNING_SECRET'];
export const ASKED_SETTINGS = ['PAYMENT_FLOWS', 'LOCALES', ...GATEWAY_URLS, ...SECRETS] as const;

export interface Answers {
  readonly shop: ShopAnswers;
  /** Values by setting name. Absent settings keep their value. */
  readonly settings: Readonly<Record<string, string>>;
}

/** Asks for name, color, email address, payment flows, locales and gateway. Throws when the merchant cancels. */
export async function askQuestions(initial: ShopAnswers): Promise<Answers> {
  const shop = {
    name: await askText('Shop name', initial.name, isShopName, NAME_RULE),
    color: await askText('Main color, as #RRGGBB', initial.color, isColor, COLOR_RULE),
    email: await askText('E-mail address for customers', initial.email, isEmail, EMAIL_RULE),
  };
  const options = PAYMENT_FLOWS.map((value) => ({
    value,
    label:
      value === 'card' ? 'card: a card form on your own page' : 'hosted: the payment page of the gateway',
  }));
  const paymentFlows = await answer(
    multiselect({ message: 'Payment flows', options, initialValues: [...PAYMENT_FLOWS] }),
  );
  const locales = await askLocales();
  const gateway = await askGateway(paymentFlows.includes('card'));
  return {
    shop,
    settings: { PAYMENT_FLOWS: paymentFlows.join(), LOCALES: locales, ...gateway },
  };
}

async function askText(
  message: string,
  initialValue: string,
  isValid: (value: string) => boolean,
  rule: string,
): Promise<string> {
  const validate = (value = '') => (isValid(value.trim()) ? undefined : rule);
  return (await answer(text({ message, initialValue, validate }))).trim();
}

/** Returns the chosen locales separated by commas, the default first. */
async function askLocales(): Promise<string> {
  const options = LOCALES.map((value) => ({ value }));
  const chosen = await answer(multiselect({ message: 'Languages', options, initialValues: [...LOCALES] }));
  if (chosen.length === 1) return chosen.join();
  const ordered = chosen.map((value) => ({ value }));
  const first = await answer(select({ message: 'Default language', options: ordered }));
  return [first, ...chosen.filter((each) => each !== first)].join();
}

async function askGateway(offersCard: boolean): Promise<Record<string, string>> {
  const options = [
    { value: 'simulator', label: 'The simulator (no account, no real money)' },
    { value: 'gateway', label: 'The payment gateway (addresses and key)' },
  ];
  if ((await answer(select({ message: 'Payments through', options }))) === 'simulator')
    return Object.fromEntries(GATEWAY_SETTINGS.map((name) => [name, '']));
  const answers: Record<string, string> = {};
  for (const name of GATEWAY_URLS.filter((each) => offersCard || each !== 'TOKENIZER_URL'))
    answers[name] = await answer(
      text({ message: name, placeholder: 'https://…', validate: settingsSchema.shape[name] }),
    );
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
