/** Why each setting matters and how to mend it, for when its value is refused. */
import type { Settings } from '../settings.js';

export interface Help {
  readonly why: string;
  readonly mend: string;
}

const SERVICE = 'The shop asks the service at these addresses with this key; without them nobody can pay.';
const DASHBOARD = 'Take it from the dashboard of your payment service.';

export const SETTING_HELP: Readonly<Record<keyof Settings, Help>> = {
  NODE_ENV: {
    why: 'It decides how strict the shop is.',
    mend: 'Write production where real money moves, else development.',
  },
  PORT: { why: 'The shop listens there.', mend: 'Write a free port, as 3000.' },
  HOST: { why: 'The shop listens there.', mend: 'Leave it empty, or write an address of this machine.' },
  SIMULATOR_PORT: {
    why: 'Without a payment service, the simulator listens there and the shop asks it there.',
    mend: 'Write a free port, as 4000.',
  },
  PUBLIC_URL: {
    why: 'Every link, the cookies’ Secure and the check of forms follow it.',
    mend: 'Write what shoppers see, without a path: https://shop.example.mx',
  },
  DATABASE_URL: {
    why: 'Orders are kept there.',
    mend: 'Write file:./data/tianguis.db, or postgres://user:password@host/database',
  },
  SESSION_SECRET: {
    why: 'Who can guess it can make up another visitor’s session.',
    mend: 'Make one: openssl rand -base64 48. The same for every process of the shop.',
  },
  PAYMENTS_BASE_URL: { why: SERVICE, mend: DASHBOARD },
  CHECKOUT_API_URL: { why: SERVICE, mend: DASHBOARD },
  PAYMENTS_API_KEY: { why: SERVICE, mend: DASHBOARD },
  CHECKOUT_PAGE_ORIGINS: {
    why: 'A shopper is sent to these places only; the payment page elsewhere is refused.',
    mend: 'Write scheme, host and port of the service’s payment page: https://pay.example',
  },
  PAYMENTS_SIGNING_SECRET: {
    why: 'The service refuses card payments that are signed wrongly.',
    mend: DASHBOARD,
  },
  TOKENIZER_URL: {
    why: 'The browser sends card data there, and nowhere else.',
    mend: 'Write the vault’s whole address, as your payment service gives it for your account.',
  },
  WEBHOOK_AUTH: {
    why: 'It tells the service’s own messages from anybody’s; without it none is let in.',
    mend: 'Choose a credential, openssl rand -hex 24, and write the same one in the service’s dashboard.',
  },
  ADMIN_PASSWORD: {
    why: 'It opens every order to who knows it.',
    mend: 'Choose 12 characters or more that nobody guesses, or leave it empty: then there is no desk.',
  },
  PERSONAL_DATA_DAYS: {
    why: 'After so many days an order at rest loses its name and e-mail.',
    mend: 'A whole number of days, 30 or more; or leave it empty to keep them.',
  },
  METRICS_TOKEN: {
    why: 'It opens /metrics, which tells how much the shop sells.',
    mend: 'Make one, openssl rand -hex 24, and give it to what collects metrics; or leave it empty.',
  },
  PRODUCTS_FILE: {
    why: 'The shop sells what is in it; without one, the sample goods.',
    mend: 'Write the path of a CSV file; docs/adapting.md has its columns.',
  },
  WAYS_TO_PAY: {
    why: 'The checkout offers these and no others.',
    mend: 'Write hosted, card, or both: hosted,card',
  },
  RECORD_EXCHANGES: {
    why: 'Every exchange with the service is added to that file, redacted; a wrong path would spoil another file.',
    mend: 'Write a path such as data/exchanges.jsonl, or leave it empty: then nothing is recorded.',
  },
  ORDER_TTL_MINUTES: { why: 'The service takes 30 minutes to 24 hours.', mend: 'Write 30 to 1440.' },
  SMTP_URL: { why: 'Receipts leave by it.', mend: 'Write smtp://user:password@host:587, or smtps://…' },
  MAIL_FROM: { why: 'Receipts come from there.', mend: 'Write Name <address@your-domain>.' },
  TRUST_PROXY: {
    why: 'The limits against card testing count by the visitor’s address.',
    mend: 'Write how many proxies stand in front of the shop: 0, 1, 2 …',
  },
  ATTEMPT_LIMITS: {
    why: 'Without limits thieves try stolen cards at your shop by the thousand.',
    mend: 'Write on, or leave it empty.',
  },
  LOG_LEVEL: { why: 'The log would tell nothing.', mend: 'Write info, or leave it empty.' },
  LANGUAGES: {
    why: 'Pages have words in these languages only.',
    mend: 'Write es-MX, en or both, with a comma between them.',
  },
  DEFAULT_LOCALE: { why: 'Pages have words in these languages only.', mend: 'Write one of LANGUAGES.' },
};
