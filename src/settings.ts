import { z } from 'zod';
import { LOCALES } from './core/catalogue.js';
import { isTestHost } from './core/environments.js';
import { WAYS_TO_PAY } from './core/order.js';
import { readWebhookAuth } from './core/webhook-auth.js';

/** Where the simulator of `npm start` and `npm run simulator` lives, and the key it takes. */
export const SIMULATOR = {
  port: 4000,
  apiKey: 'test_simulator_key',
  webhookAuth: 'bearer:simulator-webhook-secret',
  tokenizerPath: '/vault/v1/gateway/inboundRoutes/demo/token',
} as const;

const EXAMPLE_SECRETS = ['changeme', 'change-me', 'keyboard cat', 'secret', 'password', 'example', 'replace'];

const WEBHOOK_AUTH_FORMS = 'must be bearer:…, basic:user:password, header:Name:value, or the word none';

const LANGUAGE_FORMS = `must be one or more of ${LOCALES.join(', ')}`;

const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= least && value <= most, `must lie between ${least} and ${most}`);

/** Words with commas or blanks between them, each once. */
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

const origin = httpUrl.refine(
  (value) => URL.canParse(value) && new URL(value).origin === value,
  'must be an origin only: scheme, host and port, without a path',
);

/** Every setting, with its rule. `.env.example` lists the same names; a test keeps the two equal. */
export const settingsSchema = z.object({
  NODE_ENV: z.enum(['development', 'production', 'test']).default('development'),
  PORT: wholeNumber(0, 65_535).default(3000),
  HOST: z.string().optional(),
  PUBLIC_URL: origin.default('http://localhost:3000'),
  DATABASE_URL: z
    .string()
    .regex(/^(?:file:.+|postgres(?:ql)?:\/\/.+)$/, 'must start with file: or postgres://')
    .default('file:./data/tianguis.db'),
  SESSION_SECRET: z
    .string()
    .refine((value) => Buffer.byteLength(value) >= 32, 'must hold 32 bytes at least')
    .optional(),
  PAYMENTS_BASE_URL: httpUrl.optional(),
  CHECKOUT_API_URL: httpUrl.optional(),
  PAYMENTS_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{8,}$/, 'must be 8 or more printable characters without blanks')
    .optional(),
  CHECKOUT_PAGE_ORIGINS: list.pipe(z.array(origin)).optional(),
  SIMULATOR_PORT: wholeNumber(1, 65_535).default(SIMULATOR.port),
  PAYMENTS_SIGNING_SECRET: z.string().min(8).optional(),
  TOKENIZER_URL: httpUrl.optional(),
  WEBHOOK_AUTH: z
    .string()
    .refine((value) => readWebhookAuth(value) !== undefined, WEBHOOK_AUTH_FORMS)
    .optional(),
  ADMIN_PASSWORD: z.string().min(12, 'must hold 12 characters at least').max(200).optional(),
  METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,200}$/, 'must be 16 or more printable characters without blanks')
    .optional(),
  PRODUCTS_FILE: z.string().optional(),
  WAYS_TO_PAY: list
    .pipe(z.array(z.enum(WAYS_TO_PAY, 'must be hosted, card or both')).min(1, 'must be hosted, card or both'))
    .default([...WAYS_TO_PAY]),
  RECORD_EXCHANGES: z
    .string()
    .regex(/^[^\p{Cc}]+\.jsonl$/u, 'must be the path of a file that ends in .jsonl')
    .refine((value) => !/(?:^|\/)public\//.test(value), 'must not lie in public/, which everybody may read')
    .optional(),
  ORDER_TTL_MINUTES: wholeNumber(30, 1440).default(60),
  PERSONAL_DATA_DAYS: wholeNumber(30, 36_500).optional(),
  SMTP_URL: z
    .string()
    .refine(
      (value) => URL.canParse(value) && /^smtps?:$/.test(new URL(value).protocol),
      'must start with smtp:// or smtps://',
    )
    .optional(),
  MAIL_FROM: z
    .string()
    .regex(/^[^\r\n]*@[^\s@]+$/, 'must be an e-mail address, or Name <address>')
    .default('Tianguis <tienda@localhost>'),
  TRUST_PROXY: wholeNumber(0, 10).default(0),
  ATTEMPT_LIMITS: z.enum(['on', 'off']).default('on'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  LANGUAGES: list.pipe(z.array(z.enum(LOCALES, LANGUAGE_FORMS)).min(1, LANGUAGE_FORMS)).default([...LOCALES]),
  DEFAULT_LOCALE: z.enum(LOCALES).optional(),
});

export type Settings = z.infer<typeof settingsSchema>;

export type Environment = Readonly<Record<string, string | undefined>>;

export type SettingsReading =
  | { readonly ok: true; readonly settings: Settings }
  /** `NAME: what is wrong`, every problem at once; never a value. */
  | { readonly ok: false; readonly problems: readonly string[] };

/** Reads and cross-checks the settings; an empty value counts as absent. */
export function readSettings(environment: Environment): SettingsReading {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = settingsSchema.safeParse(given);
  const wrong = (parsed.error?.issues ?? []).map((issue) => ({
    name: String(issue.path[0]),
    message: issue.message,
  }));
  // Values that are wrong by themselves are left out, so that the rules between settings are checked all the same.
  const sound = Object.entries(given).filter(([name]) => !wrong.some((problem) => problem.name === name));
  const rest = atItsPort(settingsSchema.parse(Object.fromEntries(sound)), environment);
  const between = crossCheck(rest).filter(({ name }) => !wrong.some((problem) => problem.name === name));
  const problems = [...wrong, ...between].map(({ name, message }) => `${name}: ${message}`);
  return problems.length === 0 ? { ok: true, settings: rest } : { ok: false, problems };
}

/** A shop without a public address is on this machine, at the port where it listens. */
function atItsPort(settings: Settings, { PUBLIC_URL: given }: Environment): Settings {
  return given ? settings : { ...settings, PUBLIC_URL: `http://localhost:${settings.PORT}` };
}

interface Problem {
  readonly name: keyof Settings;
  readonly message: string;
}

function crossCheck(settings: Settings): Problem[] {
  const production = settings.NODE_ENV === 'production';
  return [
    ...serviceProblems(settings),
    ...languageProblems(settings),
    ...(production ? productionProblems(settings) : []),
  ];
}

function languageProblems({ LANGUAGES, DEFAULT_LOCALE }: Settings): Problem[] {
  if (DEFAULT_LOCALE === undefined || LANGUAGES.includes(DEFAULT_LOCALE)) return [];
  return [{ name: 'DEFAULT_LOCALE', message: 'must be one of LANGUAGES' }];
}

const SERVICE_SETTINGS = ['PAYMENTS_BASE_URL', 'CHECKOUT_API_URL', 'PAYMENTS_API_KEY'] as const;

/** Whether the shop runs on the simulator: none of the three settings of the service is there. */
export function isSimulated(settings: Settings): boolean {
  return SERVICE_SETTINGS.every((name) => settings[name] === undefined);
}

function serviceProblems(settings: Settings): Problem[] {
  if (isSimulated(settings)) return [];
  const missing = SERVICE_SETTINGS.filter((name) => settings[name] === undefined);
  return missing.map((name) => ({ name, message: `is missing; ${SERVICE_SETTINGS.join(', ')} go together` }));
}

const ADDRESSES = ['PAYMENTS_BASE_URL', 'CHECKOUT_API_URL', 'TOKENIZER_URL'] as const;
const NEEDED_IN_PRODUCTION = ['SESSION_SECRET', 'WEBHOOK_AUTH'] as const;
const NEEDED_FOR_CARDS = ['TOKENIZER_URL'] as const;
/** The settings whose values nobody may see. */
export const SECRETS = [
  'SESSION_SECRET',
  'PAYMENTS_API_KEY',
  'PAYMENTS_SIGNING_SECRET',
  'WEBHOOK_AUTH',
  'ADMIN_PASSWORD',
  'METRICS_TOKEN',
] as const;

function productionProblems(settings: Settings): Problem[] {
  const simulated = isSimulated(settings) ? SERVICE_SETTINGS : [];
  const cards = settings.WAYS_TO_PAY.includes('card') ? NEEDED_FOR_CARDS : [];
  const needed = [...NEEDED_IN_PRODUCTION, ...cards].filter((name) => settings[name] === undefined);
  const plain = (['PUBLIC_URL', ...ADDRESSES] as const).filter((name) => isPlain(settings[name]));
  const plainPages = settings.CHECKOUT_PAGE_ORIGINS?.some(isPlain);
  const testPages = settings.CHECKOUT_PAGE_ORIGINS?.some((page) => isTestHost(hostOf(page)));
  const test = [
    ...ADDRESSES.filter((name) => isTestHost(hostOf(settings[name]))),
    ...(testPages ? (['CHECKOUT_PAGE_ORIGINS'] as const) : []),
  ];
  const example = SECRETS.filter((name) => isExample(settings[name]));
  return [
    ...simulated.map((name) => ({
      name,
      message: 'is needed in production; the simulator is for development',
    })),
    ...needed.map((name) => ({ name, message: 'is needed in production' })),
    ...plain.map((name) => ({ name, message: 'must be https in production' })),
    ...(plainPages
      ? [{ name: 'CHECKOUT_PAGE_ORIGINS' as const, message: 'must be https in production' }]
      : []),
    ...(settings.ATTEMPT_LIMITS === 'off'
      ? [{ name: 'ATTEMPT_LIMITS' as const, message: 'must be on in production; off is for load tests' }]
      : []),
    ...test.map((name) => ({ name, message: 'is a test address, and this is production' })),
    ...example.map((name) => ({ name, message: 'is an example; make one of your own' })),
  ];
}

function isPlain(address: string | undefined): boolean {
  return address !== undefined && new URL(address).protocol === 'http:';
}

function hostOf(address: string | undefined): string {
  return address ? new URL(address).hostname : '';
}

/** Whether a secret is one that stands in documentation, or no secret at all. */
export function isExample(secret: string | undefined): boolean {
  if (!secret) return false;
  // Of WEBHOOK_AUTH only the last part is secret.
  const plain = secret.toLowerCase().replace(/^(?:bearer:|basic:[^:]*:|header:[^:]*:)/, '');
  const known =
    plain === SIMULATOR.apiKey ||
    secret === SIMULATOR.webhookAuth ||
    EXAMPLE_SECRETS.some((example) => plain.startsWith(example));
  return known || /^(.)\1*$/.test(plain);
}
