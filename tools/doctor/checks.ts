/** All checks of the doctor, in the order of their output. */
import { judgeKeys } from './judge/keys.js';
import { judgeLimits } from './judge/limits.js';
import { judgePaymentPage } from './judge/payment-page.js';
import { judgePublicAddress } from './judge/public-address.js';
import { judgeSecrets } from './judge/secrets.js';
import { lookAtClock } from './look/clock.js';
import { isRemoteDatabase, lookAtDatabase } from './look/database.js';
import { lookAtCheckoutApi, lookAtPaymentsApi } from './look/gateway.js';
import { lookAtMail, sendsMail } from './look/mail.js';
import { lookAtPagePolicy } from './look/page-policy.js';
import { lookAtProxies } from './look/proxy.js';
import { lookAtSettingFiles } from './look/setting-files.js';
import { lookAtCookies, lookAtShop } from './look/shop-address.js';
import { lookAtTokenizer } from './look/tokenizer.js';
import { lookAtWebhooks } from './look/webhooks.js';
import type { Check } from './patient.js';

const never = () => false;
const always = () => true;

export const CHECKS: readonly Check[] = [
  { name: 'setting files', asksOutside: never, examine: lookAtSettingFiles },
  { name: 'secrets', asksOutside: never, examine: judgeSecrets },
  { name: 'keys', asksOutside: never, examine: judgeKeys },
  { name: 'public address', asksOutside: never, examine: judgePublicAddress },
  { name: 'payment page', asksOutside: never, examine: judgePaymentPage },
  { name: 'limits', asksOutside: never, examine: judgeLimits },
  { name: 'database', asksOutside: isRemoteDatabase, examine: lookAtDatabase },
  { name: 'mail', asksOutside: sendsMail, examine: lookAtMail },
  { name: 'checkout service', asksOutside: always, examine: lookAtCheckoutApi },
  { name: 'payments service', asksOutside: always, examine: lookAtPaymentsApi },
  { name: 'vault', asksOutside: always, examine: lookAtTokenizer },
  { name: 'clock', asksOutside: always, examine: lookAtClock },
  { name: 'shop', asksOutside: always, examine: lookAtShop },
  { name: 'webhooks', asksOutside: always, examine: lookAtWebhooks },
  { name: 'cookies', asksOutside: always, examine: lookAtCookies },
  { name: 'page policy', asksOutside: always, examine: lookAtPagePolicy },
  { name: 'proxies', asksOutside: always, examine: lookAtProxies },
];
