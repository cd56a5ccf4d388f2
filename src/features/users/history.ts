import type { I18n } from '../../locales/i18n.js';
import type { AdminUserEventsTable } from '../../tables/schema.js';

type Event = Pick<AdminUserEventsTable, 'at' | 'by' | 'kind' | 'roleBefore' | 'role'> & { readonly name: string };

/** Builds the rows of the history, in the order of `events`. */
export function userHistory({ t, shortMoment }: I18n, events: readonly Event[]) {
  const label = (role: Event['role']) => (role === '' ? '' : t(`users.roles.${role}`));
  return events.map(({ at, by, name, kind, roleBefore, role }) => ({
    at: shortMoment(at),
    by,
    name,
    change: t(`users.changeKinds.${kind}`, { before: label(roleBefore), role: label(role) }),
  }));
}
