/** All checks of the doctor, in the order of their output. */
import type { Check } from './check.js';
import { checkCatalog, checkDatabase, checkSecondFactor, isRemoteDatabase } from './checks/database.js';
import { checkCheckoutApi, checkClock, checkPaymentsApi, checkTokenizer } from './checks/gateway.js';
import {
  checkMailFiles,
  checkMailSender,
  checkMailServer,
  checkMerchantMail,
  usesSmtp,
} from './checks/mail.js';
import { checkContentSecurityPolicy, checkCookies, checkShop, checkTrustProxy } from './checks/network.js';
import { checkSampleTexts } from './checks/sample-texts.js';
import * as settings from './checks/settings.js';
import { checkWebhooks } from './checks/webhooks.js';

const never = () => false;
const always = () => true;

export const CHECKS: readonly Check[] = [
  { name: 'example file', usesNetwork: never, run: settings.checkExampleFile },
  { name: 'setting names', usesNetwork: never, run: settings.checkSettingNames },
  { name: 'file permissions', usesNetwork: never, run: settings.checkFilePermissions },
  { name: 'reused secrets', usesNetwork: never, run: settings.checkReusedSecrets },
  { name: 'admin password', usesNetwork: never, run: settings.checkAdminPassword },
  { name: 'webhook credential', usesNetwork: never, run: settings.checkWebhookAuth },
  { name: 'gateway URLs', usesNetwork: never, run: settings.checkGatewayUrls },
  { name: 'API key', usesNetwork: never, run: settings.checkApiKey },
  { name: 'payment page', usesNetwork: never, run: settings.checkPageOrigins },
  { name: 'signing', usesNetwork: never, run: settings.checkSigning },
  { name: 'public address', usesNetwork: never, run: settings.checkPublicUrl },
  { name: 'sample texts', usesNetwork: never, run: checkSampleTexts },
  { name: 'database', usesNetwork: isRemoteDatabase, run: checkDatabase },
  { name: 'catalog', usesNetwork: isRemoteDatabase, run: checkCatalog },
  { name: 'second factor', usesNetwork: isRemoteDatabase, run: checkSecondFactor },
  { name: 'mail files', usesNetwork: never, run: checkMailFiles },
  { name: 'mail server', usesNetwork: usesSmtp, run: checkMailServer },
  { name: 'mail sender', usesNetwork: never, run: checkMailSender },
  { name: 'merchant mail', usesNetwork: never, run: checkMerchantMail },
  { name: 'checkout gateway', usesNetwork: always, run: checkCheckoutApi },
  { name: 'payments gateway', usesNetwork: always, run: checkPaymentsApi },
  { name: 'tokenizer', usesNetwork: always, run: checkTokenizer },
  { name: 'clock', usesNetwork: always, run: checkClock },
  { name: 'shop', usesNetwork: always, run: checkShop },
  { name: 'webhooks', usesNetwork: always, run: checkWebhooks },
  { name: 'cookies', usesNetwork: always, run: checkCookies },
  { name: 'content security policy', usesNetwork: always, run: checkContentSecurityPolicy },
  { name: 'proxies', usesNetwork: always, run: checkTrustProxy },
];
