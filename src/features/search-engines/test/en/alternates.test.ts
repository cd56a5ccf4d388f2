import { expect, test } from '@jest/globals';
import { Customer } from '../../../../../test/support/customer.js';
import { openFileShop } from '../../../../../test/support/shared-shop.js';

const shop = await openFileShop({ env: { LOCALES: 'en,es-MX' } });

test('a shop whose second locale is es-MX names its pages below /es as alternates', async () => {
  const path = '/es/products/taza-de-talavera';

  expect((await new Customer(shop).get(path)).text).toContain(`hreflang="es-MX" href="${shop.url}${path}"`);
});
