/** Whether receipts can leave. Sends none. */
import { join } from 'node:path';
import { createMailer } from '../../mail/mailer.js';
import { reasonOf } from '../ask.js';
import { error, graver, ok, type Verdict, warning } from '../finding.js';
import type { Patient } from '../patient.js';
import { mayWriteTo } from './writable.js';

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
      why: 'Receipts are tried again and again, and none is made.',
      mend: 'Give the user who runs the shop that folder, or set SMTP_URL.',
    });
  if (!production) return ok(`Receipts are written to ${dataDirectory}/mail.`);
  return warning({
    what: `SMTP_URL is not set: receipts are written to ${dataDirectory}/mail.`,
    why: 'No shopper gets a receipt.',
    mend: 'Write smtp://user:password@host:587, or smtps://…, as your mail provider says.',
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
    why: 'Receipts wait and are tried again; no shopper gets one.',
    mend: 'Check SMTP_URL: smtp:// with port 587 or smtps:// with port 465, host, user and password (with %-signs for special characters).',
  });
}

function sender({ config, production }: Patient): Verdict[] {
  if (!/@localhost>?$/.test(config.mailFrom)) return [];
  return [
    graver(production, {
      what: 'MAIL_FROM is an address at localhost.',
      why: 'Mail servers refuse such mail or call it spam.',
      mend: 'Write Name <address@your-domain>, a domain for which your mail provider may send.',
    }),
  ];
}
