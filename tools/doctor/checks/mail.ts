import { join } from 'node:path';
import { createMailer } from '../../../src/mail/mailer.js';
import type { DoctorContext, Problem } from '../check.js';
import { failureReason } from '../send-request.js';
import { canCreateFilesIn } from './database.js';

/** Returns whether the shop sends mail through an SMTP server. */
export function usesSmtp({ secrets }: DoctorContext): boolean {
  return secrets.smtpUrl !== undefined;
}

/** Without SMTP_URL, mails are written to files. */
export function checkMailFiles(context: DoctorContext): Problem | undefined {
  const { production, dataDirectory } = context;
  if (usesSmtp(context)) return undefined;
  const directory = join(dataDirectory, 'mail');
  if (!canCreateFilesIn(directory))
    return {
      level: 'error',
      what: `Receipts are written to ${directory}, which is not writable.`,
      why: 'The shop retries receipts, but all attempts fail.',
      fix: 'Make that folder writable for the shop’s user account, or set SMTP_URL.',
    };
  if (!production) return undefined;
  return {
    level: 'warning',
    what: `SMTP_URL is not set: receipts are written to ${directory}.`,
    why: 'Customers receive no receipts.',
    fix: 'Set it to smtp://user:password@host:587 or smtps://…, as your mail provider documents.',
  };
}

/** Connects to the mail server and authenticates. Sends no mail. */
export async function checkMailServer({
  config,
  secrets,
  dataDirectory,
}: DoctorContext): Promise<Problem | undefined> {
  if (secrets.smtpUrl === undefined) return undefined;
  using mailer = createMailer({
    smtpUrl: secrets.smtpUrl,
    from: config.mailFrom,
    directory: join(dataDirectory, 'mail'),
  });
  try {
    await mailer.verifyConnection();
    return undefined;
  } catch (error) {
    const isCredentialError = (Object(error) as { code?: unknown }).code === 'EAUTH';
    return {
      level: 'error',
      what: isCredentialError
        ? 'The mail server refuses the user or password of SMTP_URL.'
        : `The mail server of SMTP_URL cannot be used: ${failureReason(error)}.`,
      why: 'The shop retries receipts, but customers receive none until then.',
      fix: 'Check SMTP_URL: smtp:// with port 587 or smtps:// with port 465, host, user and password (special characters percent-encoded).',
    };
  }
}

/** Without MERCHANT_EMAIL the merchant gets no mail about paid orders and reviews. */
export function checkMerchantMail({ config, secrets, production }: DoctorContext): Problem | undefined {
  if (!production || config.merchantEmail !== undefined) return undefined;
  return {
    level: secrets.smtpUrl === undefined ? 'note' : 'warning',
    what: 'MERCHANT_EMAIL is not set.',
    why: 'You receive no mail when an order is paid or needs review.',
    fix: 'Set it to the email address that reads these notifications.',
  };
}

export function checkMailSender({ config, secrets, production }: DoctorContext): Problem | undefined {
  if (secrets.smtpUrl === undefined || !/@localhost>?$/.test(config.mailFrom)) return undefined;
  return {
    level: production ? 'error' : 'warning',
    what: 'MAIL_FROM is an address at localhost.',
    why: 'Mail servers reject such mail or mark it as spam.',
    fix: 'Set it to Name <address@your-domain>, with a domain for which your mail provider may send.',
  };
}
