import { type AdminCommand, findUser, UsageError } from '../../admin/admin-command.js';
import { EVERY_ROLE } from '../../admin/permissions.js';
import { COMMAND_AUTHOR } from '../../shop/rules/admin-user.js';
import { lockManagers, recordUserEvent, updateAdminUser } from '../../tables/admin-users.js';
import { isLastManager } from './change-user.js';

/** `npm run admin -- role`. The last active manager stays one. */
export const roleCommand: AdminCommand = {
  usage: [`NAME --role ${EVERY_ROLE.join('|')}`, "changes the role and ends the user's sessions"],
  options: { role: { type: 'string' } },
  async run({ database, name, options }) {
    const role = EVERY_ROLE.find((each) => each === options['role']);
    if (role === undefined) throw new UsageError(`--role must be one of ${EVERY_ROLE.join(', ')}`);
    await database.transaction(async (queries) => {
      const managers = await lockManagers(queries);
      const { id: userId, role: roleBefore } = await findUser(queries, name);
      if (role !== 'manager' && isLastManager(managers, userId))
        throw new Error(`${name} is the last manager. Add or enable another one first`);
      const at = Date.now();
      await updateAdminUser(queries, name, { role, updatedAt: at });
      await recordUserEvent(queries, { userId, at, by: COMMAND_AUTHOR, kind: 'role_changed', roleBefore, role });
    });
    return `${name} has the role ${role}`;
  },
};
