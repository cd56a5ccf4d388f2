import { describe, expect, test } from '@jest/globals';
import { centavos } from '../../src/domain/money.js';
import { formatMoney } from '../../src/locales/format.js';
import { audit } from '../support/audit.js';
import { openVisit } from '../support/browser.js';
import { theOrder } from '../support/inspect.js';
import { receiveMails } from '../support/mailbox.js';
import { cards, payWith, reachHostedPage, untilOrderIs } from '../support/steps.js';
import { openTestShop } from '../support/test-shop.js';

const PRICE = centavos(28_900);

describe('the receipt', () => {
  test.each([
    {
      locale: 'es-MX',
      heading: '¡Gracias, Eva!',
      product: 'Taza de talavera azul',
      price: formatMoney(PRICE, 'es-MX'),
    },
    {
      locale: 'en-US',
      heading: 'Thank you, Eva!',
      product: 'Blue talavera mug',
      price: formatMoney(PRICE, 'en'),
    },
  ])(
    'is read in the language of the purchase ($locale), as HTML and as text',
    async ({ locale, heading, product, price }) => {
      await using shop = await openTestShop({ foreignGateway: true });
      await using visit = await openVisit(shop, { locale });
      const { page } = visit;

      await reachHostedPage(page);
      await payWith(page, cards.succeeds);
      await untilOrderIs(page, 'paid');
      const order = page.url();
      const [receipt] = await receiveMails(shop);
      const { number } = await theOrder(shop);
      await page.goto('about:blank');
      await page.setContent(receipt?.html ?? '');

      expect(receipt?.subject).toContain(number);
      for (const words of [heading, number, product, price, order]) expect(receipt?.text).toContain(words);
      expect(await page.locator('h1').textContent()).toBe(heading);
      expect(await page.locator('thead + tbody tr').allInnerTexts()).toEqual([`${product} × 1\t${price}`]);
      expect(await page.locator('tfoot').textContent()).toContain(price);
      expect(await page.getByRole('link').getAttribute('href')).toBe(order);
      expect(await audit(page)).toEqual([]);
    },
  );
});
