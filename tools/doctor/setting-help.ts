/** Effect and fix of each setting, for the case that its value is rejected. */
import type { Settings } from '../../src/settings.js';

export interface Help {
  readonly why: string;
  readonly mend: string;
}

const SERVICE = 'The shop calls the gateway at these URLs with this key. Without them customers cannot pay.';
const DASHBOARD = 'Copy it from the dashboard of your gateway.';

export const SETTING_HELP: Readonly<Record<keyof Settings, Help>> = {
  NODE_ENV: {
    why: 'It enables or disables the production rules.',
    mend: 'Set production for real payments, otherwise development.',
  },
  PORT: { why: 'The shop listens there.', mend: 'Set a free port, for example 3000.' },
  HOST: { why: 'The shop listens there.', mend: 'Leave it empty, or set an IP address of this machine.' },
  SIMULATOR_PORT: {
    why: 'Without a gateway, the simulator listens there and the shop calls it there.',
    mend: 'Set a free port, for example 4000.',
  },
  PUBLIC_URL: {
    why: 'Links, the Secure flag of cookies and the origin check of forms depend on it.',
    mend: 'Set the public URL without a path: https://shop.example.mx',
  },
  DATABASE_URL: {
    why: 'The shop stores orders there.',
    mend: 'Set file:./data/tianguis.db or postgres://user:password@host/database',
  },
  SESSION_SECRET: {
    why: 'An attacker who guesses it can forge the session of another customer.',
    mend: 'Generate one with openssl rand -base64 48. Use the same for every process of the shop.',
  },
  PAYMENTS_BASE_URL: { why: SERVICE, mend: DASHBOARD },
  CHECKOUT_API_URL: { why: SERVICE, mend: DASHBOARD },
  PAYMENTS_API_KEY: { why: SERVICE, mend: DASHBOARD },
  CHECKOUT_PAGE_ORIGINS: {
    why: 'The shop redirects customers to these origins only and rejects any other payment page.',
    mend: 'Set scheme, host and port of the gateway’s payment page: https://pay.example',
  },
  PAYMENTS_SIGNING_SECRET: {
    why: 'The gateway rejects card payments with a wrong signature.',
    mend: DASHBOARD,
  },
  PAYMENTS_SIGNING_TEXT: {
    why: 'The gateway refuses signed payments of customers with accents in their names when it signs the other form.',
    mend: 'Set ascii, or utf8 if npm run contract -- --pay shows that the gateway needs it.',
  },
  TOKENIZER_URL: {
    why: 'The browser sends card data only there.',
    mend: 'Set the full URL of the tokenizer that your gateway assigned to your account.',
  },
  WEBHOOK_AUTH: {
    why: 'It authenticates the gateway’s webhooks. Without it the shop rejects all webhooks.',
    mend: 'Generate a credential with openssl rand -hex 24, and set the same one in the gateway’s dashboard.',
  },
  ADMIN_PASSWORD: {
    why: 'It gives access to every order.',
    mend: 'Choose 12 or more unguessable characters. Leave it empty to disable the back office.',
  },
  PII_RETENTION_DAYS: {
    why: 'After this number of days, name and e-mail are removed from a finished order.',
    mend: 'Set a whole number of days, 30 or more. Leave it empty to keep them.',
  },
  METRICS_TOKEN: {
    why: 'It gives access to /metrics, which shows the sales of the shop.',
    mend: 'Make one, openssl rand -hex 24, and give it to what collects metrics; or leave it empty.',
  },
  PRODUCTS_FILE: {
    why: 'The shop sells what is in it; without one, the sample goods.',
    mend: 'Set the path of a CSV file. See docs/adapting.md for its columns.',
  },
  PAYMENT_FLOWS: {
    why: 'The checkout offers only these payment flows.',
    mend: 'Set hosted, card, or both: hosted,card',
  },
  ORDER_TTL_MINUTES: { why: 'The gateway takes 30 minutes to 24 hours.', mend: 'Set 30 to 1440.' },
  SMTP_URL: { why: 'It sends the receipts.', mend: 'Set smtp://user:password@host:587 or smtps://…' },
  MAIL_FROM: { why: 'It is the sender address of receipts.', mend: 'Set Name <address@your-domain>.' },
  TRUST_PROXY: {
    why: 'The limits against card testing count by the customer’s IP address.',
    mend: 'Set the number of proxies in front of the shop: 0, 1, 2 … Production requires it, even if it is 0.',
  },
  HSTS_INCLUDE_SUBDOMAINS: {
    why: 'With on, browsers reject plain http for every subdomain of the shop for one year.',
    mend: 'Set on if every subdomain supports https. Otherwise set off or leave it empty.',
  },
  RATE_LIMIT: {
    why: 'Without limits, attackers can test thousands of stolen cards at the shop.',
    mend: 'Set on, or leave it empty.',
  },
  LOG_LEVEL: { why: 'The log would be empty.', mend: 'Set info, or leave it empty.' },
  LOCALES: {
    why: 'Pages have texts in these languages only.',
    mend: 'Set es-MX, en or both, separated by a comma.',
  },
  DEFAULT_LOCALE: { why: 'Pages have texts in these languages only.', mend: 'Set one of LOCALES.' },
};
