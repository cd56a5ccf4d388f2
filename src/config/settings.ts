import { z } from 'zod';
import { brand } from '../locales/brand.js';
import {
  isTestHost,
  kindOfKey,
  PAYMENT_FLOWS,
  REFUND_MODES,
  readWebhookAuth,
  secretValues,
} from '../payments/rules/index.js';
import { LOCALES } from '../shop/rules/locale.js';
import { type SecretProblem, secretProblem } from '../shop/rules/weak-secret.js';
import {
  databaseUrlProblem,
  mailAddressProblem,
  originProblem,
  senderProblem,
  smtpUrlProblem,
} from './address-rules.js';

/** Port, key and webhook token of the simulator that `npm start` and `npm run simulator` start. */
export const SIMULATOR = {
  port: 4000,
  apiKey: 'test_simulator_key',
  webhookAuth: 'bearer:simulator-webhook-secret',
  tokenizerPath: '/vault/v1/gateway/inboundRoutes/demo/token',
} as const;

const WEBHOOK_AUTH_FORMS =
  'must be bearer:…, basic:user:password, header:Name:value, or the word none, without blanks; token and header value in ASCII; a comma only before an older credential';

const LOCALE_FORMS = `must be one or more of ${LOCALES.join(', ')}`;

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must lie between ${min} and ${max}`);

/** A list separated by commas or whitespace, without duplicates. */
const list = z.string().transform((value) => [...new Set(value.split(/[\s,]+/).filter(Boolean))]);

const httpUrl = z
  .string()
  .refine(
    (value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol) && !/\s/.test(value),
    'must be an http(s) address',
  )
  .refine(
    (value) => !URL.canParse(value) || new URL(value).username + new URL(value).password === '',
    'must not hold a user or password',
  )
  .transform((value) => value.replace(/\/+$/, ''));

/** A text that is refused with the reason that `problemOf` returns. */
const textWithout = (problemOf: (value: string) => string | undefined) =>
  z.string().superRefine((value, context) => {
    const message = problemOf(value);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });

const origin = httpUrl.pipe(textWithout(originProblem));

/** Every setting with its rule and description. `npm run format` writes `.env.example` from it. */
export const settingsSchema = z.object({
  NODE_ENV: z
    .enum(['development', 'production', 'test'])
    .default('development')
    .describe('development or production. Production refuses example secrets, plain http and the simulator.'),
  PORT: wholeNumber(0, 65_535).default(3000).describe('Port to listen on.'),
  HOST: z
    .string()
    .optional()
    .describe('Address to listen on. Default: 127.0.0.1 in development, 0.0.0.0 in production.'),
  PUBLIC_URL: origin
    .default('')
    .describe(
      'Public address of the shop: scheme, host and port. Used for absolute links. With https, cookies are Secure. Default: http://localhost at PORT.',
    ),
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
  PAYMENTS_BASE_URL: httpUrl
    .optional()
    .describe(
      'Address of the gateway for card payments. Set it, CHECKOUT_API_URL and PAYMENTS_API_KEY, or none to use the simulator.',
    ),
  CHECKOUT_API_URL: httpUrl
    .optional()
    .describe(
      'Address of the gateway for checkout sessions: the part before /checkout/v1/sessions. If your gateway has no other address for them, it is PAYMENTS_BASE_URL followed by /api/v1.',
    ),
  PAYMENTS_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{8,}$/, 'must be 8 or more printable characters without blanks')
    .optional()
    .describe('Your key from the dashboard of the gateway.'),
  CHECKOUT_PAGE_ORIGINS: list
    .pipe(z.array(origin))
    .optional()
    .describe("Origins of the gateway's hosted page, separated by commas. Default: the origin of CHECKOUT_API_URL."),
  SIMULATOR_PORT: wholeNumber(1, 65_535)
    .default(SIMULATOR.port)
    .describe('Port of the simulator. Used only without gateway settings.'),
  PAYMENTS_SIGNING_SECRET: z
    .string()
    .min(8)
    .optional()
    .describe('Secret for signed payment requests. Set it if your gateway account requires signatures.'),
  PAYMENTS_SIGNING_TEXT: z
    .enum(['ascii', 'utf8'])
    .default('ascii')
    .describe(
      'Encoding of card payments: ascii escapes accented letters (é is sent as \\u00e9), utf8 does not. Change it only if the gateway refuses signed payments of customers with accents in their names.',
    ),
  TOKENIZER_URL: httpUrl
    .optional()
    .describe(
      "The tokenizer: the gateway's card vault. Only the browser sends card data to it. Default: the simulator's.",
    ),
  WEBHOOK_AUTH: z
    .string()
    .refine((value) => readWebhookAuth(value) !== undefined, WEBHOOK_AUTH_FORMS)
    .optional()
    .describe(
      "Authentication of webhooks: bearer:token, basic:user:password, header:Name:value, or the word none. Required in production, with at least 16 characters. To change it, write the new one, a comma and the older one: both are accepted, and each start and the doctor report it. Without it every webhook is rejected. Default with the simulator: the simulator's token. With none, any sender may post. Each start then logs a warning. Only references of your own orders are stored, and each IP address may send 300 webhooks per minute.",
    ),
  ADMIN_PASSWORD: z
    .string()
    .min(12, 'must hold 12 characters at least')
    .max(200)
    .optional()
    .describe(
      'Password of the user admin, which a start without users creates: at least 12 characters. It never changes a user; npm run admin does. Without users there is no /admin. In development it is generated, stored under data/ and printed.',
    ),
  METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,200}$/, 'must be 16 or more printable characters without blanks')
    .optional()
    .describe(
      'Bearer token for /metrics: at least 16 characters. Without it /metrics is not available in production. In development, programs on this machine may then read it.',
    ),
  PAYMENT_FLOWS: list
    .pipe(z.array(z.enum(PAYMENT_FLOWS, 'must be hosted, card or both')).min(1, 'must be hosted, card or both'))
    .default([...PAYMENT_FLOWS])
    .describe(
      "Payment flows: hosted (the gateway's own page), card (your page with the tokenizer), or both, separated by commas. Without card, TOKENIZER_URL is not needed.",
    ),
  REFUNDS: z
    .enum(REFUND_MODES)
    .default('record')
    .describe(
      "off, record or gateway. record: you refund in the gateway's dashboard and record it in the back office. gateway: the back office refunds payments of the flow card at the gateway. Payments of the hosted page are still refunded in the dashboard, and recorded.",
    ),
  REFUND_PARTIAL: z
    .enum(['on', 'off'])
    .default('off')
    .describe('on or off: whether a refund may be smaller than what can still be refunded.'),
  ORDER_TTL_MINUTES: wholeNumber(30, 1440).default(30).describe('TTL of a payment attempt, in minutes: 30 to 1440.'),
  ORDER_PAYABLE_DAYS: wholeNumber(1, 90)
    .default(7)
    .describe('Days in which an unpaid order can be paid from its link, at its prices: 1 to 90.'),
  REMINDER_HOURS: wholeNumber(1, 72)
    .optional()
    .describe(
      'Hours after which an unpaid order gets one reminder mail with its payment link: 1 to 72. Default: none is sent.',
    ),
  PII_RETENTION_DAYS: wholeNumber(30, 36_500)
    .optional()
    .describe(
      'Retention of customer data (names, email, phone, address, invoice request) of orders without an open payment or review, in days: 30 or more, and ORDER_PAYABLE_DAYS + 9 or more. It does not wait for the delivery. Default: unlimited.',
    ),
  INVOICE_REQUEST_MONTHS: z
    .union([z.literal('off'), wholeNumber(0, 12)], 'must be off, or a number from 0 to 12')
    .default(1)
    .describe(
      'Deadline for invoice requests (CFDI): the end of this many months after the month of the sale, 0 to 12, and no earlier than the day 72 hours after the confirmation. The time zone is that of Mexico City. off: none are accepted.',
    ),
  SMTP_URL: textWithout(smtpUrlProblem)
    .optional()
    .describe(
      'SMTP server for mails: smtp://user:password@host:587 or smtps://… Special characters of user and password are percent-encoded: # is %23, / is %2F. Without it mails are written to data/mail/.',
    ),
  MAIL_FROM: textWithout(senderProblem)
    .optional()
    .describe('Sender of the mails: one email address, or Name <address>. Default: the shop name <tienda@localhost>.'),
  MERCHANT_EMAIL: textWithout(mailAddressProblem)
    .optional()
    .describe(
      'E-mail address of the merchant, for a mail when an order is paid and when it needs review, and for answers to mails. ASCII before the @. Empty: none is sent.',
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
  RATE_LIMIT: z
    .enum(['on', 'off'])
    .default('on')
    .describe(
      'on or off: rate limits on payment attempts by cart, by IP address and in total, against card testing, and refusals of an overloaded process. Off only for load tests.',
    ),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('fatal, error, warn, info, debug, trace or silent.'),
  LOCALES: list
    .pipe(z.array(z.enum(LOCALES, LOCALE_FORMS)).min(1, LOCALE_FORMS))
    .default([...LOCALES])
    .describe('Locales of the shop: es-MX, en or both.'),
  DEFAULT_LOCALE: z
    .enum(LOCALES)
    .optional()
    .describe(
      'The first locale: public pages at /, the required product texts, and browsers that accept no other. Empty: the first of LOCALES.',
    ),
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

const GATEWAY_SETTINGS = ['PAYMENTS_BASE_URL', 'CHECKOUT_API_URL', 'PAYMENTS_API_KEY'] as const;

/** Whether the shop uses the simulator: none of the three settings of the gateway is set. */
export function isSimulated(settings: Settings): boolean {
  return GATEWAY_SETTINGS.every((name) => settings[name] === undefined);
}

interface Problem {
  readonly name: keyof Settings;
  readonly message: string;
}

/** A payment that starts on the last day is offered for up to a day, and watched for 8 more. */
const LATE_PAYMENT_DAYS = 9;

function crossCheck(settings: Settings): readonly Problem[] {
  const { NODE_ENV, LOCALES, DEFAULT_LOCALE, REMINDER_HOURS, ORDER_PAYABLE_DAYS, PII_RETENTION_DAYS } = settings;
  const problems: Problem[] = [];
  if (!isSimulated(settings)) {
    const message = `is missing; ${GATEWAY_SETTINGS.join(', ')} go together`;
    for (const name of GATEWAY_SETTINGS) if (settings[name] === undefined) problems.push({ name, message });
  }
  if (DEFAULT_LOCALE !== undefined && !LOCALES.includes(DEFAULT_LOCALE))
    problems.push({ name: 'DEFAULT_LOCALE', message: 'must be one of LOCALES' });
  if (REMINDER_HOURS !== undefined && REMINDER_HOURS >= ORDER_PAYABLE_DAYS * 24)
    problems.push({ name: 'REMINDER_HOURS', message: 'must be shorter than ORDER_PAYABLE_DAYS' });
  if (PII_RETENTION_DAYS !== undefined && PII_RETENTION_DAYS < ORDER_PAYABLE_DAYS + LATE_PAYMENT_DAYS)
    problems.push({
      name: 'PII_RETENTION_DAYS',
      message: `must be at least ${LATE_PAYMENT_DAYS} days longer than ORDER_PAYABLE_DAYS`,
    });
  if (NODE_ENV === 'production') problems.push(...productionProblems(settings));
  return problems;
}

const GATEWAY_ADDRESSES = ['PAYMENTS_BASE_URL', 'CHECKOUT_API_URL', 'TOKENIZER_URL'] as const;
const ADDRESSES = [...GATEWAY_ADDRESSES, 'CHECKOUT_PAGE_ORIGINS'] as const;
const NEEDED_IN_PRODUCTION = ['SESSION_SECRET', 'WEBHOOK_AUTH', 'TRUST_PROXY'] as const;
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
  'METRICS_TOKEN',
] as const;

function productionProblems(settings: Settings): readonly Problem[] {
  const simulated = isSimulated(settings) ? GATEWAY_SETTINGS : [];
  const cards = settings.PAYMENT_FLOWS.includes('card') ? (['TOKENIZER_URL'] as const) : [];
  const needed = [...NEEDED_IN_PRODUCTION, ...cards].filter((name) => settings[name] === undefined);
  const plain = (['PUBLIC_URL', ...ADDRESSES] as const).filter((name) =>
    urlsOf(settings[name]).some(({ protocol }) => protocol === 'http:'),
  );
  const unlimited = settings.RATE_LIMIT === 'off' ? (['RATE_LIMIT'] as const) : [];
  const test = ADDRESSES.filter((name) => hasTestHost(settings[name]));
  const problems = (names: readonly (keyof Settings)[], message: string) => names.map((name) => ({ name, message }));
  return [
    ...problems(simulated, 'is needed in production; the simulator is for development'),
    ...problems(needed, 'is needed in production'),
    ...problems(plain, 'must be https in production'),
    ...problems(unlimited, 'must be on in production; off is for load tests'),
    ...problems(test, 'is a test address, and this is production'),
    ...secretProblems(settings),
  ];
}

const SECRET_FAULTS = {
  example: 'is an example; make one of your own',
  guessable: 'is easy to guess; make one of your own',
  short: 'must hold 16 characters at least in production',
} as const satisfies Record<SecretProblem, string>;

function secretProblems(settings: Settings): readonly Problem[] {
  const weak = SECRETS.flatMap((name) => {
    const fault = secretProblem(name, settings[name], [brand.name, new URL(settings.PUBLIC_URL).hostname]);
    return fault === undefined ? [] : [{ name, message: SECRET_FAULTS[fault] }];
  });
  const isTestKey = kindOfKey(settings.PAYMENTS_API_KEY ?? '') === 'test';
  const isLive = !GATEWAY_ADDRESSES.some((name) => hasTestHost(settings[name]));
  if (!isTestKey || !isLive || weak.some(({ name }) => name === 'PAYMENTS_API_KEY')) return weak;
  return [...weak, { name: 'PAYMENTS_API_KEY', message: 'is a test key, and the addresses are live' }];
}

function urlsOf(addresses: string | readonly string[] = []): readonly URL[] {
  return [addresses].flat().map((address) => new URL(address));
}

function hasTestHost(addresses: string | readonly string[] | undefined): boolean {
  return urlsOf(addresses).some(({ hostname }) => isTestHost(hostname));
}
