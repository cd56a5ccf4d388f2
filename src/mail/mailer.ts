import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import nodemailer, { type SendMailOptions } from 'nodemailer';

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
  /** Resolves once the mail is handed over; rejects otherwise. */
  send(mail: Mail): Promise<void>;
  /** Greets the SMTP server and shows it our credentials, and sends nothing; rejects when it would take no mail. */
  greet(): Promise<void>;
}

const TIMEOUT_MS = 15_000;

/** Hands mails to an SMTP server, or to a directory where none is set. */
export function createMailer(settings: MailerSettings): Mailer {
  const timeouts = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS };
  const smtp =
    settings.smtpUrl === undefined
      ? undefined
      : nodemailer.createTransport({ url: settings.smtpUrl, ...timeouts });
  const host =
    settings.from
      .split('@')
      .at(-1)
      ?.replace(/[^\w.-]/g, '') ?? 'localhost';
  return {
    async send({ to, subject, text, html, key }) {
      // As an address object, so that no part of it can become another recipient or header.
      const message = {
        from: settings.from,
        to: { name: '', address: to },
        subject,
        text,
        html,
        messageId: `<${key}@${host}>`,
        disableFileAccess: true,
        disableUrlAccess: true,
      };
      if (smtp) await smtp.sendMail(message);
      else await writeMail(settings.directory, key, message);
    },
    async greet() {
      await smtp?.verify();
    },
    [Symbol.dispose]() {
      smtp?.close();
    },
  };
}

/** Written beside and moved into place: a reader never sees half a mail, and a second try replaces the first. */
async function writeMail(directory: string, key: string, message: SendMailOptions): Promise<void> {
  const rendered = await nodemailer
    .createTransport({ streamTransport: true, buffer: true })
    .sendMail(message);
  await mkdir(directory, { recursive: true });
  const path = join(directory, `${key}.eml`);
  await writeFile(`${path}.part`, rendered.message as Buffer, { mode: 0o600 });
  await rename(`${path}.part`, path);
}
