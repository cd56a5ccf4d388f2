/** The fields that forms about users share. */
import { EVERY_ROLE } from '../../admin/permissions.js';
import type { MessageKey } from '../../locales/message-keys.js';
import { isPasswordLength, MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../../shop/rules/admin-user.js';
import { CONTACT_FIELDS } from '../../shop/rules/contact.js';
import { choice, optional, text } from '../../web/fields.js';
import type { Field, FormFields } from '../../web/form.js';

/** Limits of passwords, for messages. */
export const PASSWORD_LIMITS = { min: MIN_PASSWORD_LENGTH, max: MAX_PASSWORD_LENGTH } as const;

export const ROLE = choice(EVERY_ROLE, (role) => `users.roles.${role}`, {
  kind: 'list',
  label: 'users.role',
  hint: 'users.roleHint',
  choose: 'users.chooseRole',
  isRequired: true,
  problem: 'users.problems.role',
});

export const EMAIL = optional(
  text({
    kind: 'email',
    label: 'users.email',
    hint: 'users.emailHint',
    limit: CONTACT_FIELDS.email.maxLength,
    rule: CONTACT_FIELDS.email.parse,
    problem: 'users.problems.email',
  }),
);

/** The password of the signed-in user, which the route checks. Each form of a page has its own name for it. */
export const OWN_PASSWORD: Field<string> = {
  kind: 'password',
  label: 'users.ownPassword',
  hint: 'users.ownPasswordHint',
  autocomplete: 'current-password',
  isRequired: true,
  parse: (typed) => typed,
  problem: 'users.problems.password',
};

/** A new password, typed twice. One of the two fields has an error at a time. */
export function newPasswordFields(hint: MessageKey) {
  const field = { kind: 'password', autocomplete: 'new-password', isRequired: true } as const;
  const isNew = (typed: string, current: string | undefined) => isPasswordLength(typed) && typed !== current;
  return {
    new_password: {
      ...field,
      label: 'users.account.new',
      hint: (t) => t(hint, PASSWORD_LIMITS),
      parse: (typed, { texts }) => (isNew(typed, texts['current_password']) ? typed : undefined),
      problem: (t, typed) =>
        isPasswordLength(typed)
          ? t('users.account.problems.same')
          : t('users.account.problems.length', PASSWORD_LIMITS),
    },
    new_password_again: {
      ...field,
      label: 'users.account.again',
      parse(typed, { texts: { new_password: password = '', current_password: current } }) {
        return typed === password || !isNew(password, current) ? typed : undefined;
      },
      problem: 'users.account.problems.differ',
    },
  } as const satisfies FormFields;
}
