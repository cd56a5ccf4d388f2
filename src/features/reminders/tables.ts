/** When a mailbox last got a reminder. */
interface RemindedMailboxesTable {
  /** Hash, see `mailboxKey`. */
  mailbox: string;
  remindedAt: number;
}

export interface Tables {
  remindedMailboxes: RemindedMailboxesTable;
}

export type JobName = 'reminder';
