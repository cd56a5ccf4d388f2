/** Checks that the shop can send mail. Sends none. */
import { join } from 'node:path';
import { createMailer } from '../../../src/mail/mailer.js';
import { reasonOf } from '../ask.js';
import { error, graver, ok, type Verdict, warning } from '../finding.js';
import type { Patient } from '../patient.js';
import { mayWriteTo } from './writable.js';

/** Returns whether the shop sends mail through an SMTP server. */
export function sendsMail({ secrets }: Patient): boolean {
  return secrets.smtpUrl !== undefined;
}

export async function lookAtMail(patient: Patient, signal: AbortSignal): Promise<readonly Verdict[]> {
  const { smtpUrl } = patient.secrets;
  if (smtpUrl === undefined) return [toFiles(patient)];
  return [await greetServer(patient, { smtpUrl, signal }), ...sender(patient)];
}

function toFiles({ production, dataDirectory }: Patient): Verdict {
  if (!mayWriteTo(join(dataDirectory, 'mail')))
    return error({
      what: `Receipts are written to ${dataDirectory}/mail, and nothing can be written there.`,
      why: 'The shop retries receipts, but all attempts fail.',
      mend: 'Make that folder writable for the shop’s user account, or set SMTP_URL.',
    });
  if (!production) return ok(`Receipts are written to ${dataDirectory}/mail.`);
  return warning({
    what: `SMTP_URL is not set: receipts are written to ${dataDirectory}/mail.`,
    why: 'Customers receive no receipts.',
    mend: 'Set it to smtp://user:password@host:587 or smtps://…, as your mail provider documents.',
  });
}

async function greetServer(
  { config, dataDirectory }: Patient,
  { smtpUrl, signal }: { readonly smtpUrl: string; readonly signal: AbortSignal },
): Promise<Verdict> {
  using mailer = createMailer({ smtpUrl, from: config.mailFrom, directory: join(dataDirectory, 'mail') });
  try {
    await Promise.race([mailer.greet(), whenOver(signal)]);
    return ok('The mail server answers and takes the credentials.');
  } catch (fault) {
    return unwilling(fault);
  }
}

function whenOver(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

function unwilling(fault: unknown): Verdict {
  const refused = (Object(fault) as { code?: unknown }).code === 'EAUTH';
  return error({
    what: refused
      ? 'The mail server refuses the user or password of SMTP_URL.'
      : `The mail server of SMTP_URL takes no mail: ${reasonOf(fault)}.`,
    why: 'The shop retries receipts, but customers receive none until then.',
    mend: 'Check SMTP_URL: smtp:// with port 587 or smtps:// with port 465, host, user and password (special characters percent-encoded).',
  });
}

function sender({ config, production }: Patient): Verdict[] {
  if (!/@localhost>?$/.test(config.mailFrom)) return [];
  return [
    graver(production, {
      what: 'MAIL_FROM is an address at localhost.',
      why: 'Mail servers reject such mail or mark it as spam.',
      mend: 'Set it to Name <address@your-domain>, with a domain for which your mail provider may send.',
    }),
  ];
}
