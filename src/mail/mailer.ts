import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SendMailOptions, Transporter } from 'nodemailer';
import { once } from '../core/once.js';

/** One mail to one person. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The same at every try, so that a copy is recognised as one: letters, digits, dots and hyphens. */
  readonly key: string;
}

export interface MailerSettings {
  /** `smtp://…` or `smtps://…`; absent: mails are written into `directory` as `.eml` files. */
  readonly smtpUrl?: string;
  readonly from: string;
  readonly directory: string;
}

export interface Mailer extends Disposable {
  /** Loads what the first mail needs. */
  warmUp(): Promise<void>;
  /** Resolves once the mail is handed over; rejects otherwise. */
  send(mail: Mail): Promise<void>;
  /** Greets the SMTP server and shows it our credentials, and sends nothing; rejects when it would take no mail. */
  greet(): Promise<void>;
}

const TIMEOUT_MS = 15_000;
const TIMEOUTS = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS };

/** Loaded with the first mail or a moment after the start: no visitor waits for it. */
const loadNodemailer = async () => (await import('nodemailer')).default;

/** Hands mails to an SMTP server, or to a directory where none is set. */
export function createMailer({ smtpUrl: url, directory, from }: MailerSettings): Mailer {
  let smtp: Transporter | undefined;
  const openSmtp = once(async () => {
    smtp = (await loadNodemailer()).createTransport({ url, ...TIMEOUTS });
    return smtp;
  });
  const host =
    from
      .split('@')
      .at(-1)
      ?.replace(/[^\w.-]/g, '') ?? 'localhost';
  return {
    async warmUp() {
      await loadNodemailer();
    },
    async send({ to, subject, text, html, key }) {
      // As an address object, so that no part of it can become another recipient or header.
      const message = {
        from,
        to: { name: '', address: to },
        subject,
        text,
        html,
        messageId: `<${key}@${host}>`,
        disableFileAccess: true,
        disableUrlAccess: true,
      };
      if (url === undefined) await writeMail(directory, key, message);
      else await (await openSmtp()).sendMail(message);
    },
    async greet() {
      if (url !== undefined) await (await openSmtp()).verify();
    },
    [Symbol.dispose]() {
      smtp?.close();
    },
  };
}

/** Written beside and moved into place: a reader never sees half a mail, and a second try replaces the first. */
async function writeMail(directory: string, key: string, message: SendMailOptions): Promise<void> {
  const { createTransport } = await loadNodemailer();
  const rendered = await createTransport({ streamTransport: true, buffer: true }).sendMail(message);
  await mkdir(directory, { recursive: true });
  const path = join(directory, `${key}.eml`);
  await writeFile(`${path}.part`, rendered.message as Buffer, { mode: 0o600 });
  await rename(`${path}.part`, path);
}
