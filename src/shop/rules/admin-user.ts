/** Users of the back office: roles and rules for names and passwords. Pure. */

/** `viewer` reads, but no tax data; `fulfillment` also ships orders and edits stock, `manager` may do everything. */
export type Role = 'viewer' | 'fulfillment' | 'manager';

/**
 * `unreadable_factor`: the stored secret of the second factor cannot be decrypted, because `SESSION_SECRET` changed.
 * `removed_factor`: the user has a second factor, and the shop no longer checks codes.
 */
export type SignInResult =
  | ('signed_in' | 'unknown_name' | 'wrong_password')
  | ('wrong_code' | 'unreadable_factor' | 'removed_factor' | 'disabled');

/** What happens to a user, for the history. `password_set`: by the link of an invitation or of a reset. */
export type AdminUserEventKind =
  | ('added' | 'role_changed' | 'disabled' | 'enabled' | 'reset')
  | ('password_set' | 'password_changed' | 'email_changed')
  | ('factor_set' | 'factor_removed' | 'codes_renewed' | 'recovery_code_used');

/** Author of changes by `npm run admin` in the history. No user has this name, because of its space. */
export const COMMAND_AUTHOR = 'npm run admin';

/** Returns whether a password has an accepted length. */
export function isPasswordLength({ length }: string): boolean {
  return length >= MIN_PASSWORD_LENGTH && length <= MAX_PASSWORD_LENGTH;
}

export const MIN_PASSWORD_LENGTH = 12;
/** Also limits the work of a sign-in. */
export const MAX_PASSWORD_LENGTH = 200;

/** Returns whether the text is a valid user name. ASCII, because SQLite ignores the case of ASCII letters only. */
export function isAdminName(text: string): boolean {
  return /^[a-z][a-z0-9._-]{1,39}$/i.test(text);
}
