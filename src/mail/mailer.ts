import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport, type SendMailOptions } from 'nodemailer';
import type { Config, Secrets } from '../config/config.js';

/** An attached file. */
export interface MailFile {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Buffer;
}

/** One mail to one recipient. */
export interface Mail {
  /** Name of the sender, unless `MAIL_FROM` has one. */
  readonly senderName?: string | undefined;
  readonly to: string;
  /** The address that gets the answer. Absent: the sender. */
  readonly replyTo?: string | undefined;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly attachments?: readonly MailFile[] | undefined;
  /** Part of the Message-ID, the same at every try, so that duplicates can be recognized. Letters, digits, `_`, `.`, `-`. */
  readonly key: string;
}

export interface Mailer extends Disposable {
  /** Resolves when the SMTP server has accepted the mail, or the file is written. Rejects otherwise. */
  send(mail: Mail): Promise<void>;
  /** Connects to the SMTP server and authenticates. Sends no mail. Rejects when the server refuses. */
  verifyConnection(): Promise<void>;
}

const TIMEOUT_MS = 15_000;
const TIMEOUTS = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS };

/** Creates a mailer that sends by SMTP, or writes `.eml` files to `directory` if no SMTP URL is set. */
export function createMailer(
  { mailFrom }: Pick<Config, 'mailFrom'>,
  { smtpUrl: url }: Pick<Secrets, 'smtpUrl'>,
  directory: string,
): Mailer {
  const smtp = url === undefined ? undefined : createTransport({ url, ...TIMEOUTS });
  const host = mailFrom.slice(mailFrom.lastIndexOf('@') + 1).replace(/[^\w.-]/g, '');
  return {
    async send({ senderName = '', to, replyTo, subject, text, html, key, attachments = [] }) {
      // Address objects: no part of the address can become another recipient or header.
      const message = {
        from: mailFrom.endsWith('>') ? mailFrom : { name: senderName, address: mailFrom },
        to: { name: '', address: to },
        ...(replyTo !== undefined && { replyTo: { name: '', address: replyTo } }),
        subject,
        text,
        html,
        attachments: [...attachments],
        messageId: `<${key}@${host}>`,
        disableFileAccess: true,
        disableUrlAccess: true,
      };
      if (smtp) await smtp.sendMail(message);
      else await writeMail(directory, key, message);
    },
    async verifyConnection() {
      await smtp?.verify();
    },
    [Symbol.dispose]() {
      smtp?.close();
    },
  };
}

/** Writes the file atomically by rename. A retry replaces the file. */
async function writeMail(directory: string, key: string, message: SendMailOptions): Promise<void> {
  const rendered = await createTransport({ streamTransport: true, buffer: true }).sendMail(message);
  await mkdir(directory, { recursive: true });
  const path = join(directory, `${key}.eml`);
  await writeFile(`${path}.part`, rendered.message as Buffer, { mode: 0o600 });
  await rename(`${path}.part`, path);
}
