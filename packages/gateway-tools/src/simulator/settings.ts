/** The simulator's options, how the program reads them from the environment, and its changeable settings. */
import { z } from 'zod';
import { refundStatuses, type WebhookAuth } from './model.js';

export interface SimulatorOptions {
  /** 0: a free port. */
  readonly port: number;
  /** The host of its URL. Default: `localhost`. */
  readonly host?: 'localhost' | '127.0.0.1';
  readonly profile?: Settings['profile'];
  readonly apiKey: string;
  /** The folder of ledger and records. Without it they are in memory only. */
  readonly dataDir?: string;
  readonly webhook?: { readonly url: string; readonly auth: WebhookAuth };
  /** Default: 60 s. */
  readonly webhookRetryDelayMs?: number;
  /** Milliseconds since 1970, to which control adds. Default: `Date.now`. */
  readonly now?: () => number;
  /** Source of all ids and numbers, so that a seed repeats them. Default: `randomBytes` of `node:crypto`. */
  readonly random?: (bytes: number) => Uint8Array;
}

/** The settings that control and the start page change. */
export const simulatorSettings = z.object({
  /**
   * The behavior of the gateway. `minimal` has only what the interface describes, and abbreviates sessions.
   * `interface` also repeats the reference of a payment. `public-docs` follows the vendor's public material.
   */
  profile: z.enum(['interface', 'minimal', 'public-docs']),
  declineHttpStatus: z.union([z.literal(200), z.literal(402)]),
  signingSecret: z.string().nullable(),
  /** The form of the body that a signature covers. */
  signingText: z.enum(['both', 'ascii', 'utf8']),
  refundStatus: z.enum(refundStatuses),
  /** The public pages disagree: one refund per payment, or several up to the amount of the payment. */
  refundsPerPayment: z.enum(['one', 'several']),
  webhooks: z.enum(['on', 'off', 'duplicate', 'late']),
  /** For how long ended sessions stay pending. Then they are paid without a webhook. 0: they expire. */
  latePaymentMinutes: z.number().min(0),
});

export type Settings = Readonly<z.infer<typeof simulatorSettings>>;

const schema = z.object({
  SIMULATOR_PORT: z.coerce.number().int().min(0).max(65_535).default(4000),
  SIMULATOR_PROFILE: simulatorSettings.shape.profile.default('interface'),
  SIMULATOR_WEBHOOK_URL: z.url().default('http://localhost:3000/webhooks/payments'),
  PAYMENTS_API_KEY: z.string().min(1).default('test_simulator_key'),
  WEBHOOK_AUTH: z.string().default('bearer:simulator-webhook-secret').transform(parseWebhookAuth),
  NODE_ENV: z
    .string()
    .optional()
    .refine((value) => value !== 'production', 'the simulator never runs in production'),
});

/** Throws one error that lists all problems. */
export function readSimulatorOptions(env: Readonly<Record<string, string | undefined>>): SimulatorOptions {
  const nonEmpty = Object.entries(env).filter(([, value]) => value !== undefined && value !== '');
  const { data, error } = schema.safeParse(Object.fromEntries(nonEmpty));
  if (error !== undefined) {
    throw new Error(error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'));
  }
  return {
    port: data.SIMULATOR_PORT,
    profile: data.SIMULATOR_PROFILE,
    apiKey: data.PAYMENTS_API_KEY,
    webhook: { url: data.SIMULATOR_WEBHOOK_URL, auth: data.WEBHOOK_AUTH },
    dataDir: 'data/simulator',
  };
}

function parseWebhookAuth(text: string, context: z.RefinementCtx): WebhookAuth {
  // A list has the newest credential first.
  const [newest = ''] = text.split(',');
  const [word = '', first = '', ...rest] = newest.trim().split(':');
  const scheme = word.toLowerCase();
  const last = rest.join(':');
  if (scheme === 'none') return { scheme };
  if (scheme === 'bearer' && first !== '') return { scheme, token: [first, ...rest].join(':') };
  if (scheme === 'basic' && first !== '' && last !== '') return { scheme, user: first, password: last };
  if (scheme === 'header' && first !== '' && last !== '') return { scheme, name: first, value: last };
  const message = 'must be bearer:…, basic:user:password, header:Name:value, or none';
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
}
