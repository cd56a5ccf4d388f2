import { MANAGER } from '../../admin/permissions.js';
import { CLOSING } from '../../shop/rules/shop-settings.js';
import type { Feature } from '../feature.js';
import { isClosing } from './closing-form.js';
import { saveClosing, sendClosing } from './closing-routes.js';
import { closingPaths } from './paths.js';

/** The merchant closes the shop until a day, such as for holidays. The rules of a closed shop belong to the checkout. */
export const closing: Feature = {
  name: 'closing',
  place: 208,
  needs: ['shop-settings'],
  ownSettings: {
    names: () => [CLOSING],
    label: (t) => t('closing.title'),
    accepts: isClosing,
  },
  adminRoutes: () => [
    {
      get: closingPaths.closing,
      roles: MANAGER,
      handler: sendClosing,
      link: { on: 'shop', label: (t) => t('closing.title') },
    },
    { post: closingPaths.closing, roles: MANAGER, handler: saveClosing },
  ],
};
