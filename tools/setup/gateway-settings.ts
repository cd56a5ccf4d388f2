/** The settings of the gateway that setup asks for, and what it refuses. */

import { isLoopbackHost } from '@tianguis/payments/rules';
import { weakSecrets } from '@tianguis/payments/settings';
import { settingsSchema } from '../../src/config/settings.js';
import { brand } from '../../src/locales/brand.js';
import { FLOW_IDS } from '../../src/shop/rules/flows.js';

/** Values by setting name. Absent settings keep their value. */
export type SettingAnswers = Readonly<Record<string, string>>;

const GATEWAY_URLS = ['PAYMENTS_BASE_URL', 'CHECKOUT_API_URL'] as const;
/** A setting of the flow card. */
const TOKENIZER_URL = 'TOKENIZER_URL';
export const ASKED_SECRETS = ['PAYMENTS_API_KEY', 'WEBHOOK_AUTH'] as const;

/** Cleared when the merchant chooses the simulator. */
export const GATEWAY_SETTINGS = [
  ...[...GATEWAY_URLS, TOKENIZER_URL, ...ASKED_SECRETS],
  ...['CHECKOUT_PAGE_ORIGINS', 'PAYMENTS_SIGNING_SECRET'],
];

export function gatewayUrlsOf(offersCard: boolean) {
  return offersCard ? ([...GATEWAY_URLS, TOKENIZER_URL] as const) : GATEWAY_URLS;
}

/** The settings that `--yes` reads from the environment. */
export const ASKED_SETTINGS = [
  ...['PAYMENT_FLOWS', 'LOCALES'],
  ...[...gatewayUrlsOf(FLOW_IDS.includes('card')), ...ASKED_SECRETS],
];

/**
 * Returns what is wrong with an address or secret of the gateway, also if only production refuses it. Test addresses and keys
 * are accepted, because a shop begins with them. `undefined`: nothing, or another setting.
 */
export function settingProblem(name: string, value: string): string | undefined {
  const isUrl = gatewayUrlsOf(true).some((url) => url === name);
  const secret = ASKED_SECRETS.find((each) => each === name);
  if (!isUrl && secret === undefined) return undefined;
  // All addresses have the same rule.
  const { error } = settingsSchema.shape[secret ?? 'PAYMENTS_BASE_URL'].safeParse(value);
  if (error) return error.issues[0]?.message;
  if (secret) return weakSecrets({ [secret]: value }, [brand.name])[0]?.message;
  const { protocol, hostname } = new URL(value);
  return protocol === 'http:' && !isLoopbackHost(hostname) ? 'must be https in production' : undefined;
}
