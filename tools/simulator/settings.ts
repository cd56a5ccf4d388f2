/** The simulator's settings from the environment. */
import { z } from 'zod';
import { defaults } from './defaults.js';
import type { SimulatorOptions } from './simulator.js';
import type { WebhookAuth } from './webhooks.js';

const schema = z.object({
  SIMULATOR_PORT: z.coerce.number().int().min(0).max(65_535).default(defaults.port),
  SIMULATOR_PROFILE: z.enum(['interface', 'public-docs']).default('interface'),
  SIMULATOR_WEBHOOK_URL: z.url().default(defaults.webhookUrl),
  PAYMENTS_API_KEY: z.string().min(1).default(defaults.apiKey),
  WEBHOOK_AUTH: z.string().default(defaults.webhookAuth).transform(webhookAuthOf),
  NODE_ENV: z
    .string()
    .optional()
    .refine((value) => value !== 'production', 'the simulator never runs in production'),
});

/** Throws one error that lists all problems. */
export function readSettings(env: Readonly<Record<string, string | undefined>>): SimulatorOptions {
  const given = Object.entries(env).filter(([, value]) => value !== undefined && value !== '');
  const parsed = schema.safeParse(Object.fromEntries(given));
  if (!parsed.success) {
    throw new Error(
      parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'),
    );
  }
  return {
    port: parsed.data.SIMULATOR_PORT,
    profile: parsed.data.SIMULATOR_PROFILE,
    apiKey: parsed.data.PAYMENTS_API_KEY,
    webhook: { url: parsed.data.SIMULATOR_WEBHOOK_URL, auth: parsed.data.WEBHOOK_AUTH },
    dataDir: 'data/simulator',
  };
}

function webhookAuthOf(text: string, context: z.RefinementCtx): WebhookAuth {
  const [scheme, first = '', ...rest] = text.split(':');
  const tail = rest.join(':');
  if (text === 'none') return { scheme: 'none' };
  if (scheme === 'bearer' && first !== '') return { scheme, token: text.slice('bearer:'.length) };
  if (scheme === 'basic' && first !== '' && tail !== '') return { scheme, user: first, password: tail };
  if (scheme === 'header' && first !== '' && tail !== '') return { scheme, name: first, value: tail };
  context.addIssue({
    code: 'custom',
    message: 'must be bearer:…, basic:user:password, header:Name:value, or none',
  });
  return z.NEVER;
}
