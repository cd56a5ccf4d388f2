import type { FeatureRows } from '../../tables/feature-rows.js';

/** When a mailbox last got a reminder. */
interface RemindedMailboxesTable {
  /** Hash, see `mailboxKey`. */
  mailbox: string;
  remindedAt: number;
}

export interface Tables {
  remindedMailboxes: RemindedMailboxesTable;
}

export const ROWS = {
  /** An expired mailbox may get a reminder again. */
  remindedMailboxes: { expires: { key: 'mailbox', since: 'remindedAt', days: 1 } },
} as const satisfies FeatureRows<Tables>;

export type JobName = 'reminder';
