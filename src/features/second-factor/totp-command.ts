import { encodeQR } from 'qr';
import { type AdminCommand, changeByCommand, UsageError } from '../../admin/admin-command.js';
import { brand } from '../../locales/brand.js';
import { newTotpSecret, totpAddress } from './totp.js';
import { sealTotpSecret } from './totp-secret.js';

/** `npm run admin -- totp`: also for a user who cannot sign in any more. */
export const totpCommand: AdminCommand = {
  usage: ['NAME --enable|--disable', 'adds or removes two-step verification'],
  options: { enable: { type: 'boolean' }, disable: { type: 'boolean' } },
  async run({ database, name, options: { enable = false, disable = false }, sessionSecret }) {
    if (enable === disable) throw new UsageError('add --enable or --disable');
    const secret = newTotpSecret();
    await changeByCommand(database, name, enable ? 'factor_set' : 'factor_removed', ({ id }) => ({
      totpSecret: enable ? sealTotpSecret(secret, id, sessionSecret()) : null,
    }));
    if (!enable) return `${name} signs in without two-step verification`;
    const address = totpAddress(brand.name, secret, name);
    return `${name} signs in with two-step verification. Scan the code, or enter the secret or the address in an authenticator app:
${encodeQR(address, 'ascii', { ecc: 'low' })}
  secret   ${secret}
  address  ${address}`;
  },
};
