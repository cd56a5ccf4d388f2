import { FEATURE_NOTICES } from '../../../src/features/settings.js';
import { createMailer } from '../../../src/mail/mailer.js';
import type { Check, DoctorContext } from '../check.js';

const hasServer = ({ secrets }: DoctorContext) => secrets.smtpUrl !== undefined;

/** Returns what the features mail the merchant about. */
const noticesIn = ({ features }: Pick<DoctorContext, 'features'>) =>
  Object.entries(FEATURE_NOTICES).flatMap(([feature, notices]) => (features.includes(feature) ? notices : []));

export const mailChecks: readonly Check[] = [
  {
    name: 'mail files',
    run: ({ secrets, production }) =>
      production &&
      secrets.smtpUrl === undefined && {
        level: 'warning',
        what: 'SMTP_URL is not set: receipts are written to data/mail.',
        why: 'Customers receive no receipts.',
        fix: 'Set it to smtp://user:password@host:587 or smtps://…, as your mail provider documents.',
      },
  },
  {
    name: 'mail server',
    contacts: 'SMTP_URL',
    concerns: hasServer,
    async run({ config, secrets }) {
      // Connects and authenticates. Sends no mail.
      using mailer = createMailer(config, secrets, '');
      await mailer.verifyConnection();
      return undefined;
    },
  },
  {
    name: 'mail sender',
    concerns: hasServer,
    run: ({ config, production }) =>
      /@localhost>?$/.test(config.mailFrom) && {
        level: production ? 'error' : 'warning',
        what: 'MAIL_FROM is an address at localhost.',
        why: 'Mail servers reject such mail or mark it as spam.',
        fix: 'Set it to Name <address@your-domain>, with a domain for which your mail provider may send.',
      },
  },
  {
    name: 'merchant mail',
    concerns: (context) => noticesIn(context).length > 0,
    run: ({ config, features, secrets, production }) =>
      production &&
      config.merchantEmail === undefined && {
        level: secrets.smtpUrl === undefined ? 'note' : 'warning',
        what: 'MERCHANT_EMAIL is not set.',
        why: `You receive no notices: ${noticesIn({ features }).join(', ')}.`,
        fix: 'Set it to the email address that reads these notifications.',
      },
  },
];
