import { secretValues } from '@tianguis/payments/rules';
import {
  list,
  paymentSettingProblems,
  paymentSettings,
  type SettingProblem,
  textWithout,
  weakSecrets,
  wholeNumber,
} from '@tianguis/payments/settings';
import { z } from 'zod';
import { FEATURE_NOTICES, FEATURE_SECRETS, FEATURE_SETTINGS, featureProblems } from '../features/settings.js';
import { FLOW_SETTINGS } from '../flows/settings.js';
import { brand } from '../locales/brand.js';
import { FLOW_IDS } from '../shop/rules/flows.js';
import { LOCALES } from '../shop/rules/locales.js';
import { databaseUrlProblem, mailAddressProblem, senderProblem, smtpUrlProblem } from './address-rules.js';

const FLOW_TEXTS = { hosted: "hosted (the gateway's own page)", card: 'card (your page with the tokenizer)' };
const FLOW_FORMS = `must be one or more of ${FLOW_IDS.join(', ')}`;
const notices = Object.values(FEATURE_NOTICES).join(', ');
const LOCALE_FORMS = `must be one or more of ${LOCALES.join(', ')}`;

/** Every setting with its rule and description, those of the features at the end. `npm run format` writes `.env.example` from it. */
export const settingsSchema = z.object({
  NODE_ENV: paymentSettings.NODE_ENV,
  PORT: paymentSettings.PORT,
  HOST: z
    .string()
    .optional()
    .describe('Address to listen on. Default: 127.0.0.1 in development, 0.0.0.0 in production.'),
  PUBLIC_URL: paymentSettings.PUBLIC_URL,
  DATABASE_URL: textWithout(databaseUrlProblem)
    .default('file:./data/tianguis.db')
    .describe(
      'file:… is SQLite, for one machine. postgres://user:password@host/database also serves several machines.',
    ),
  SESSION_SECRET: z
    .string()
    .refine(
      (value) => secretValues(value).every((each) => Buffer.byteLength(each) >= 32),
      'must hold 32 bytes at least, and no comma except before an older value of 32 bytes at least',
    )
    .optional()
    .describe(
      'At least 32 random bytes: openssl rand -base64 48. In development a secret is generated and stored under data/. To change it, write the new value, a comma and the older value. The first signs, and all are accepted. A comma always separates values: each start and the doctor report how many there are.',
    ),
  PAYMENTS_BASE_URL: paymentSettings.PAYMENTS_BASE_URL,
  CHECKOUT_API_URL: paymentSettings.CHECKOUT_API_URL,
  PAYMENTS_API_KEY: paymentSettings.PAYMENTS_API_KEY,
  CHECKOUT_PAGE_ORIGINS: paymentSettings.CHECKOUT_PAGE_ORIGINS,
  SIMULATOR_PORT: paymentSettings.SIMULATOR_PORT,
  PAYMENTS_SIGNING_SECRET: paymentSettings.PAYMENTS_SIGNING_SECRET,
  PAYMENTS_SIGNING_TEXT: paymentSettings.PAYMENTS_SIGNING_TEXT,
  ...FLOW_SETTINGS,
  WEBHOOK_AUTH: paymentSettings.WEBHOOK_AUTH,
  ADMIN_PASSWORD: z
    .string()
    .min(12, 'must hold 12 characters at least')
    .max(200)
    .optional()
    .describe(
      'Password of the user admin, which a start without users creates: at least 12 characters. It never changes a user; npm run admin does. Without users there is no /admin. In development it is generated, stored under data/ and printed.',
    ),
  PAYMENT_FLOWS: list
    .pipe(z.array(z.enum(FLOW_IDS, FLOW_FORMS)).min(1, FLOW_FORMS))
    .default([...FLOW_IDS])
    .describe(
      `Payment flows that the checkout offers, separated by commas: ${FLOW_IDS.map((id) => FLOW_TEXTS[id]).join(', ')}.`,
    ),
  REFUNDS: paymentSettings.REFUNDS,
  REFUND_PARTIAL: paymentSettings.REFUND_PARTIAL,
  ORDER_TTL_MINUTES: paymentSettings.ORDER_TTL_MINUTES,
  ORDER_PAYABLE_DAYS: wholeNumber(1, 90)
    .default(7)
    .describe('Days in which an unpaid order can be paid at its prices: 1 to 90.'),
  SMTP_URL: textWithout(smtpUrlProblem)
    .optional()
    .describe(
      'SMTP server for mails: smtp://user:password@host:587 or smtps://… Special characters of user and password are percent-encoded: # is %23, / is %2F. Without it mails are written to data/mail/.',
    ),
  MAIL_FROM: textWithout(senderProblem)
    .optional()
    .describe(
      'Sender of the mails: one email address, with the name of the shop, or Name <address>. Default: tienda@localhost.',
    ),
  MERCHANT_EMAIL: textWithout(mailAddressProblem)
    .optional()
    .describe(
      `E-mail address of the merchant. Customers answer mails to it.${notices && ` The shop sends it notices: ${notices}.`} ASCII before the @. Empty: none.`,
    ),
  TRUST_PROXY: wholeNumber(0, 10)
    .optional()
    .describe(
      'Exact number of reverse proxies in front of the shop. Required in production, even if it is 0. Default elsewhere: 0.',
    ),
  HSTS_INCLUDE_SUBDOMAINS: z
    .enum(['on', 'off'])
    .default('off')
    .describe(
      "on or off: HSTS also covers the subdomains of the shop's host. Set it to on only if every subdomain has https.",
    ),
  RATE_LIMIT: paymentSettings.RATE_LIMIT,
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('fatal, error, warn, info, debug, trace or silent.'),
  LOCALES: list
    .pipe(z.array(z.enum(LOCALES, LOCALE_FORMS)).min(1, LOCALE_FORMS))
    .default([...LOCALES])
    .describe(`Locales of the shop, separated by commas: ${LOCALES.join(', ')}.`),
  DEFAULT_LOCALE: z
    .enum(LOCALES)
    .optional()
    .describe(
      'The first locale: public pages at /, the required product texts, and browsers that accept no other. Empty: the first of LOCALES.',
    ),
  ...FEATURE_SETTINGS,
});

export type Settings = z.infer<typeof settingsSchema>;

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Parses and cross-checks the settings. An empty value counts as absent. Returns all problems as `NAME: message`. Messages
 * never contain a value, because it may be a secret.
 */
export function readSettings(
  environment: Environment,
): { readonly ok: true; readonly settings: Settings } | { readonly ok: false; readonly problems: readonly string[] } {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = settingsSchema.safeParse(given);
  const wrong = (parsed.error?.issues ?? []).map((issue) => ({
    name: String(issue.path[0]),
    message: issue.message,
  }));
  // Invalid values are left out, so that the rules between settings are still checked.
  const isWrong = (name: string) => wrong.some((problem) => problem.name === name);
  const sound = Object.entries(given).filter(([name]) => !isWrong(name));
  const settings = settingsSchema.parse(Object.fromEntries(sound));
  settings.PUBLIC_URL ||= `http://localhost:${settings.PORT}`;
  const between = crossCheck(settings).filter(({ name }) => !isWrong(name));
  const problems = [...wrong, ...between].map(({ name, message }) => `${name}: ${message}`);
  return problems.length === 0 ? { ok: true, settings } : { ok: false, problems };
}

type Problem = SettingProblem<string>;

function crossCheck(settings: Settings): readonly Problem[] {
  const { NODE_ENV, LOCALES, DEFAULT_LOCALE } = settings;
  const names = [brand.name, new URL(settings.PUBLIC_URL).hostname];
  const needsTokenizer = settings.PAYMENT_FLOWS.includes('card');
  const problems: Problem[] = [...paymentSettingProblems(settings, { needsTokenizer, names })];
  if (DEFAULT_LOCALE !== undefined && !LOCALES.includes(DEFAULT_LOCALE))
    problems.push({ name: 'DEFAULT_LOCALE', message: 'must be one of LOCALES' });
  problems.push(...featureProblems(settings));
  if (NODE_ENV === 'production') problems.push(...productionProblems(settings, names));
  return problems;
}

const NEEDED_IN_PRODUCTION = ['SESSION_SECRET', 'TRUST_PROXY'] as const;
/**
 * Settings whose values are secret. They are also checked for weak and example values.
 * @public also used by tools
 */
export const SECRETS = [
  'SESSION_SECRET',
  'PAYMENTS_API_KEY',
  'PAYMENTS_SIGNING_SECRET',
  'WEBHOOK_AUTH',
  'ADMIN_PASSWORD',
  ...FEATURE_SECRETS,
] as const;
const OWN_SECRETS = ['SESSION_SECRET', 'ADMIN_PASSWORD', ...FEATURE_SECRETS] as const;

function productionProblems(settings: Settings, names: readonly string[]): readonly Problem[] {
  const missing = NEEDED_IN_PRODUCTION.filter((name) => settings[name] === undefined);
  return [
    ...missing.map((name) => ({ name, message: 'is needed in production' })),
    ...weakSecrets(pick(settings, OWN_SECRETS), names),
  ];
}

function pick<N extends keyof Settings>(settings: Settings, names: readonly N[]): Record<N, Settings[N]> {
  return Object.fromEntries(names.map((name) => [name, settings[name]])) as Record<N, Settings[N]>;
}
