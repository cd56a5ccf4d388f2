/** The settings of the payments: their rules, their descriptions, and what production refuses. */
import { z } from 'zod';
import type { PaymentSettings } from './create-payments.js';
import { isTestHost, kindOfKey } from './rules/gateway-hosts.js';
import { parseUrl } from './rules/parse-url.js';
import { REFUND_MODES } from './rules/refund.js';
import { type SecretProblem, secretProblem } from './rules/weak-secret.js';
import { readWebhookAuth, type WebhookAuth } from './rules/webhook-auth.js';

/** Port, key and webhook token of the simulator that `npm start` and `npm run simulator` start. */
export const SIMULATOR = {
  port: 4000,
  apiKey: 'test_simulator_key',
  webhookAuth: 'bearer:simulator-webhook-secret',
  tokenizerPath: '/vault/v1/gateway/inboundRoutes/demo/token',
} as const;

const WEBHOOK_AUTH_FORMS =
  'must be bearer:…, basic:user:password, header:Name:value, or the word none, without blanks; token and header value in ASCII; a comma only before an older credential';

export const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must lie between ${min} and ${max}`);

/** A list separated by commas or whitespace, without duplicates. */
export const list = z.string().transform((value) => [...new Set(value.split(/[\s,]+/).filter(Boolean))]);

const httpUrl = z
  .string()
  .refine(
    (value) => /^https?:$/.test(parseUrl(value)?.protocol ?? '') && !/\s/.test(value),
    'must be an http(s) address',
  )
  .refine((value) => {
    const { username, password } = parseUrl(value) ?? { username: '', password: '' };
    return username + password === '';
  }, 'must not hold a user or password')
  .transform((value) => value.replace(/\/+$/, ''));

/** A text that is refused with the reason that `problemOf` returns. */
export const textWithout = (problemOf: (value: string) => string | undefined) =>
  z.string().superRefine((value, context) => {
    const message = problemOf(value);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });

const origin = httpUrl.pipe(textWithout(originProblem));

/** For a value that is an http(s) address. Browsers and the gateway send and compare the normalized form. */
function originProblem(value: string): string | undefined {
  const { origin, pathname, search, hash } = new URL(value);
  if (origin === value) return undefined;
  const isOrigin = pathname === '/' && search + hash === '' && !/[/?#]$/.test(value);
  return isOrigin ? `must be written as browsers send it: ${origin}` : ORIGIN_ONLY;
}

const ORIGIN_ONLY = 'must be an origin only: scheme, host and port, without a path';

/** Every setting of the payments with its rule and description. */
export const paymentSettings = {
  NODE_ENV: z
    .enum(['development', 'production', 'test'])
    .default('development')
    .describe('development or production. Production refuses example secrets, plain http and the simulator.'),
  PUBLIC_URL: origin
    .default('')
    .describe(
      'Public address of the shop: scheme, host and port. Used for absolute links. With https, cookies are Secure. Default: http://localhost at PORT.',
    ),
  PAYMENTS_BASE_URL: httpUrl
    .optional()
    .describe(
      'Address of the gateway for card payments. Set it, CHECKOUT_API_URL and PAYMENTS_API_KEY. Without all three, development uses the simulator.',
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
      "The tokenizer: the gateway's card vault. Only the browser sends card data to it. Default in development: the simulator's.",
    ),
  WEBHOOK_AUTH: z
    .string()
    .refine((value) => readWebhookAuth(value) !== undefined, WEBHOOK_AUTH_FORMS)
    .optional()
    .describe(
      "Authentication of webhooks: bearer:token, basic:user:password, header:Name:value, or the word none. Required in production, with at least 16 characters. To change it, write the new one, a comma and the older one: both are accepted, and each start and the doctor report it. Without it every webhook is rejected. Default with the simulator: the simulator's token. With none, any sender may post. Each start then logs a warning. Only references of your own orders are stored, and each IP address may send 300 webhooks per minute.",
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
  RATE_LIMIT: z
    .enum(['on', 'off'])
    .default('on')
    .describe(
      'on or off: rate limits on payment attempts by cart, by IP address and in total, against card testing, and refusals of an overloaded process. Off only for load tests.',
    ),
  PORT: wholeNumber(0, 65_535).default(3000).describe('Port to listen on.'),
} as const;

const schema = z.object(paymentSettings);
type PaymentEnvironment = z.infer<typeof schema>;
type Name = keyof PaymentEnvironment;

/** A setting, and what is wrong with it. Never contains its value, which may be a secret. */
export interface SettingProblem<N = Name> {
  readonly name: N;
  readonly message: string;
}

const GATEWAY_SETTINGS = ['PAYMENTS_BASE_URL', 'CHECKOUT_API_URL', 'PAYMENTS_API_KEY'] as const;
const GATEWAY_ADDRESSES = ['PAYMENTS_BASE_URL', 'CHECKOUT_API_URL', 'TOKENIZER_URL'] as const;
const ADDRESSES = [...GATEWAY_ADDRESSES, 'CHECKOUT_PAGE_ORIGINS'] as const;

/** Whether the simulator is used: none of the three settings of the gateway is set. */
function isSimulated(settings: Pick<PaymentEnvironment, (typeof GATEWAY_SETTINGS)[number]>): boolean {
  return GATEWAY_SETTINGS.every((name) => settings[name] === undefined);
}

/**
 * Returns what is wrong between the settings of the payments. `needsTokenizer`: card payments are offered. `names`: words of the
 * brand, which are weak in secrets.
 */
export function paymentSettingProblems(
  settings: PaymentEnvironment,
  { needsTokenizer, names }: { readonly needsTokenizer: boolean; readonly names: readonly string[] },
): readonly SettingProblem[] {
  const problems = (wrong: readonly Name[], message: string) => wrong.map((name) => ({ name, message }));
  const missing = GATEWAY_SETTINGS.filter((name) => settings[name] === undefined);
  const together = `is missing; ${GATEWAY_SETTINGS.join(', ')} go together`;
  const incomplete = isSimulated(settings) ? [] : problems(missing, together);
  if (settings.NODE_ENV !== 'production') return incomplete;
  const needed = (['WEBHOOK_AUTH', ...(needsTokenizer ? (['TOKENIZER_URL'] as const) : [])] as const).filter(
    (name) => settings[name] === undefined,
  );
  const plain = (['PUBLIC_URL', ...ADDRESSES] as const).filter((name) =>
    urlsOf(settings[name]).some(({ protocol }) => protocol === 'http:'),
  );
  return [
    ...incomplete,
    ...problems(
      isSimulated(settings) ? GATEWAY_SETTINGS : [],
      'is needed in production; the simulator is for development',
    ),
    ...problems(needed, 'is needed in production'),
    ...problems(plain, 'must be https in production'),
    ...problems(settings.RATE_LIMIT === 'off' ? ['RATE_LIMIT'] : [], 'must be on in production; off is for load tests'),
    ...problems(
      ADDRESSES.filter((name) => hasTestHost(settings[name])),
      'is a test address, and this is production',
    ),
    ...secretProblems(settings, names),
  ];
}

const MINUTE = 60_000;
/** The gateway accepts 30 minutes to 24 hours. Half a minute at both ends allows for call time and clock skew. */
const SHORTEST_TTL_MS = 30.5 * MINUTE;
const LONGEST_TTL_MS = (24 * 60 - 0.5) * MINUTE;
const JOB_DEADLINE_MS = 60_000;

/** What a host gets from the settings of the payments. */
export interface PaymentConfiguration {
  readonly settings: PaymentSettings;
  /** `undefined`: every webhook is rejected. */
  readonly webhookAuth: WebhookAuth | undefined;
  /** Where the browser sends card data. */
  readonly tokenizerUrl: string;
  /** `undefined`: the gateway is not the simulator. */
  readonly simulatorUrl: string | undefined;
}

/** Returns what parsed settings mean. */
export function configurePayments(settings: PaymentEnvironment): PaymentConfiguration {
  const simulatorUrl = `http://localhost:${settings.SIMULATOR_PORT}`;
  const baseUrl = settings.PAYMENTS_BASE_URL ?? simulatorUrl;
  const checkoutApiUrl = settings.CHECKOUT_API_URL ?? simulatorUrl;
  const isSimulator = isSimulated(settings);
  const webhookAuth = readWebhookAuth(settings.WEBHOOK_AUTH ?? (isSimulator ? SIMULATOR.webhookAuth : ''));
  return {
    settings: {
      production: settings.NODE_ENV === 'production',
      publicUrl: settings.PUBLIC_URL,
      baseUrl,
      checkoutApiUrl,
      pageOrigins: settings.CHECKOUT_PAGE_ORIGINS ?? [new URL(checkoutApiUrl).origin],
      apiKey: settings.PAYMENTS_API_KEY ?? SIMULATOR.apiKey,
      signingSecret: settings.PAYMENTS_SIGNING_SECRET,
      signingText: settings.PAYMENTS_SIGNING_TEXT,
      orderTtlMs: Math.min(Math.max(settings.ORDER_TTL_MINUTES * MINUTE, SHORTEST_TTL_MS), LONGEST_TTL_MS),
      jobDeadlineMs: JOB_DEADLINE_MS,
      webhooksAuthenticated: webhookAuth !== undefined && webhookAuth.scheme !== 'none',
      refunds: settings.REFUNDS,
      partialRefunds: () => settings.REFUND_PARTIAL === 'on',
      rateLimit: settings.RATE_LIMIT === 'on',
    },
    webhookAuth,
    tokenizerUrl: settings.TOKENIZER_URL ?? `${new URL(checkoutApiUrl).origin}${SIMULATOR.tokenizerPath}`,
    simulatorUrl: isSimulator ? simulatorUrl : undefined,
  };
}

/**
 * Reads the settings of the payments from an environment. An empty value counts as absent. Returns all problems as
 * `NAME: message`, or what a host needs. A message never contains a value, because it may be a secret.
 */
export function readPaymentSettings(
  environment: Readonly<Record<string, string | undefined>>,
  { needsTokenizer = true, names = [] as readonly string[] } = {},
): ({ readonly ok: true } & PaymentConfiguration) | { readonly ok: false; readonly problems: readonly string[] } {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = schema.safeParse(given);
  const wrong = (parsed.error?.issues ?? []).map(({ path, message }) => ({ name: String(path[0]), message }));
  const settings = parsed.data;
  if (settings) settings.PUBLIC_URL ||= `http://localhost:${settings.PORT}`;
  const between = settings ? paymentSettingProblems(settings, { needsTokenizer, names }) : [];
  const problems = [...wrong, ...between].map(({ name, message }) => `${name}: ${message}`);
  return settings && problems.length === 0 ? { ok: true, ...configurePayments(settings) } : { ok: false, problems };
}

const SECRET_FAULTS = {
  example: 'is an example; make one of your own',
  guessable: 'is easy to guess; make one of your own',
  short: 'must hold 16 characters at least in production',
} as const satisfies Record<SecretProblem, string>;

/** Returns which of these secrets production refuses. */
export function weakSecrets<N extends string>(
  secrets: Readonly<Record<N, string | undefined>>,
  names: readonly string[],
): readonly SettingProblem<N>[] {
  return (Object.keys(secrets) as N[]).flatMap((name) => {
    const fault = secretProblem(name, secrets[name], names);
    return fault === undefined ? [] : [{ name, message: SECRET_FAULTS[fault] }];
  });
}

function secretProblems(settings: PaymentEnvironment, names: readonly string[]): readonly SettingProblem[] {
  const { PAYMENTS_API_KEY, PAYMENTS_SIGNING_SECRET, WEBHOOK_AUTH } = settings;
  const weak = weakSecrets({ PAYMENTS_API_KEY, PAYMENTS_SIGNING_SECRET, WEBHOOK_AUTH }, names);
  const isTestKey = kindOfKey(PAYMENTS_API_KEY ?? '') === 'test';
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
