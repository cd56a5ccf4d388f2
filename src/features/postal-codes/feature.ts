import type { Feature } from '../feature.js';
import { importCommand } from './import-command.js';
import { postalCodesPaths } from './paths.js';
import { LOOKUP_LIMIT, sendPostalCode } from './postal-code-route.js';

/** Municipality and neighborhoods of a postal code, from the file of Correos de México, in forms with a delivery address. */
export const postalCodes: Feature = {
  name: 'postal-codes',
  place: 175,
  provides: { addressScripts: ['/postal-codes/postal-codes.js'] },
  limits: [LOOKUP_LIMIT.name],
  probes: () => [{ get: postalCodesPaths.postalCode, limit: LOOKUP_LIMIT, handler: sendPostalCode }],
  adminCommands: { 'postal-codes': importCommand },
};
