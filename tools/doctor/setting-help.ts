/** Effect and fix of each setting, for the case that its value is rejected. */
import type { Settings } from '../../src/settings.js';

export interface SettingHelp {
  readonly why: string;
  readonly fix: string;
}

const GATEWAY: SettingHelp = {
  why: 'The shop calls the gateway at these URLs with this key. Without them customers cannot pay.',
  fix: 'Copy it from the dashboard of your gateway.',
};

export const SETTING_HELP: Readonly<Record<keyof Settings, SettingHelp>> = {
  NODE_ENV: {
    why: 'It enables the production rules.',
    fix: 'Set production, or development without real payments.',
  },
  PORT: { why: 'The shop listens there.', fix: 'Set a free port, for example 3000.' },
  HOST: { why: 'The shop listens there.', fix: 'Leave it empty, or set an IP address of this machine.' },
  SIMULATOR_PORT: { why: 'The simulator listens there.', fix: 'Set a free port, for example 4000.' },
  PUBLIC_URL: {
    why: 'Links, cookies and forms depend on it.',
    fix: 'Set it without a path: https://shop.example.mx',
  },
  DATABASE_URL: { why: 'The shop stores orders there.', fix: 'Set file:./data/tianguis.db or postgres://…' },
  SESSION_SECRET: {
    why: 'An attacker who guesses it can forge the session of another customer.',
    fix: 'Generate one with openssl rand -base64 48. Use the same for every process of the shop.',
  },
  PAYMENTS_BASE_URL: GATEWAY,
  CHECKOUT_API_URL: GATEWAY,
  PAYMENTS_API_KEY: GATEWAY,
  CHECKOUT_PAGE_ORIGINS: {
    why: 'The shop redirects customers to these origins only and rejects any other payment page.',
    fix: 'Set scheme, host and port of the gateway’s payment page: https://pay.example',
  },
  PAYMENTS_SIGNING_SECRET: { why: 'The gateway rejects payments with a wrong signature.', fix: GATEWAY.fix },
  PAYMENTS_SIGNING_TEXT: {
    why: 'With the wrong value, the gateway refuses signed payments of customers with accents in their names.',
    fix: 'Set ascii, or utf8 if npm run contract -- --pay shows that the gateway needs it.',
  },
  TOKENIZER_URL: { why: 'The browser sends card data only there.', fix: GATEWAY.fix },
  WEBHOOK_AUTH: {
    why: 'It authenticates the gateway’s webhooks. Without it the shop rejects all webhooks.',
    fix: 'Generate a credential with openssl rand -hex 24, and set the same one in the gateway’s dashboard.',
  },
  ADMIN_PASSWORD: {
    why: 'It gives access to every order.',
    fix: 'Choose 12 or more unguessable characters. Leave it empty to disable the back office.',
  },
  PII_RETENTION_DAYS: {
    why: 'Personal data is removed after these days.',
    fix: 'Set 30 or more, or leave it empty.',
  },
  METRICS_TOKEN: {
    why: 'It gives access to the sales at /metrics.',
    fix: 'Generate one with openssl rand -hex 24.',
  },
  PRODUCTS_FILE: {
    why: 'The shop sells its products.',
    fix: 'Set the path of a CSV file (docs/adapting.md).',
  },
  PAYMENT_FLOWS: {
    why: 'The checkout offers only these payment flows.',
    fix: 'Set hosted, card, or hosted,card',
  },
  ORDER_TTL_MINUTES: { why: 'The gateway accepts 30 minutes to 24 hours.', fix: 'Set 30 to 1440.' },
  SMTP_URL: { why: 'It sends the receipts.', fix: 'Set smtp://user:password@host:587 or smtps://…' },
  MAIL_FROM: { why: 'It is the sender address of receipts.', fix: 'Set Name <address@your-domain>.' },
  TRUST_PROXY: {
    why: 'The limits against card testing count by the customer’s IP address.',
    fix: 'Set the number of proxies in front of the shop: 0, 1, 2 … Production requires it, even if it is 0.',
  },
  HSTS_INCLUDE_SUBDOMAINS: {
    why: 'With on, browsers reject plain http for every subdomain of the shop for one year.',
    fix: 'Set on if every subdomain supports https. Otherwise set off or leave it empty.',
  },
  RATE_LIMIT: { why: 'Without limits, attackers can test stolen cards.', fix: 'Set on, or leave it empty.' },
  LOG_LEVEL: { why: 'Without a valid level the shop cannot log.', fix: 'Set info, or leave it empty.' },
  LOCALES: { why: 'Pages have texts in these locales only.', fix: 'Set es-MX, en, or es-MX,en' },
  DEFAULT_LOCALE: { why: 'Pages have texts in these locales only.', fix: 'Set one of LOCALES.' },
};
