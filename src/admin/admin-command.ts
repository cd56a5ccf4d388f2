/** Commands of `npm run admin`: those of the core, and those that features add. */
import type { Readable } from 'node:stream';
import type { ParseArgsConfig } from 'node:util';
import type { CurrentShop } from '../settings/current-shop.js';
import type { LabelContext } from '../settings/shop-setting.js';
import { type AdminUserEventKind, COMMAND_AUTHOR } from '../shop/rules/admin-user.js';
import {
  type AdminUser,
  type AdminUserChange,
  findAdminUserByName,
  recordUserEvent,
  updateAdminUser,
} from '../tables/admin-users.js';
import type { Database, Db } from '../tables/database.js';

export interface AdminCommand {
  /** Its arguments and what it does, for the help. */
  readonly usage: readonly [args: string, text: string];
  readonly options?: NonNullable<ParseArgsConfig['options']>;
  /** Returns what to print. Throws `UsageError` if the options are not valid. */
  run(input: CommandInput): Promise<string>;
}

export interface CommandInput {
  readonly database: Database;
  /** Name of the user, or an empty text for a command without `NAME`. */
  readonly name: string;
  readonly options: Readonly<Record<string, unknown>>;
  /** Returns the settings of the shop before the merchant changes them. */
  shop(): Promise<CurrentShop & Pick<LabelContext, 'config'>>;
  sessionSecret(): string;
  /** Opens the standard input. Another command may read /dev/stdin as a file. */
  input(): StandardInput;
}

/** A stream that may be a terminal. */
export type StandardInput = Readable & { readonly isTTY?: boolean };

/** The arguments are not valid. */
export class UsageError extends Error {}

/** Changes a user and records it. Throws if there is no such user. */
export function changeByCommand(
  { transaction }: Database,
  name: string,
  kind: AdminUserEventKind,
  values: (user: AdminUser) => Omit<AdminUserChange, 'updatedAt'>,
): Promise<void> {
  return transaction(async (queries) => {
    const user = await findUser(queries, name);
    const at = Date.now();
    await updateAdminUser(queries, name, { ...values(user), updatedAt: at });
    await recordUserEvent(queries, { userId: user.id, at, by: COMMAND_AUTHOR, kind });
  });
}

/** Throws if there is no such user. */
export async function findUser(queries: Db, name: string): Promise<AdminUser> {
  const user = await findAdminUserByName(queries, name);
  if (!user) throw new Error(`there is no user ${name}`);
  return user;
}
