import { z } from 'zod';

export const SETTINGS = {
  METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,200}$/, 'must be 16 or more printable characters without blanks')
    .optional()
    .describe(
      'Bearer token for /metrics: at least 16 characters. Without it /metrics is not available in production. In development, programs on this machine may then read it.',
    ),
};

export const SECRETS = ['METRICS_TOKEN'] as const;

export function toSecrets({ METRICS_TOKEN }: { readonly METRICS_TOKEN?: string | undefined }) {
  return {
    /** `undefined` in production: no metrics. In development loopback requests may read the metrics. */
    metricsToken: METRICS_TOKEN,
  };
}
