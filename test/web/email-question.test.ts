import { expect, test } from '@jest/globals';
import { Customer, mugOrder } from '../support/customer.js';
import { theOrder } from '../support/inspect.js';
import { openSharedShop } from '../support/shared-shop.js';
import { expectUnchanged } from '../support/unchanged.js';

const shop = await openSharedShop();
const TYPO = 'ana@gmial.com';
const askedIn = (html: string) => /name="email_asked" value="([^"]*)"/.exec(html)?.[1];

test.each(['/checkout/hosted', '/checkout/card'])(
  'a form at %s with a mistyped address is answered with a question, before anything is placed, and keeps what was typed',
  async (path) => {
    const customer = await Customer.withCart(shop);
    await expectUnchanged(shop, async () => {
      const page = await customer.post(path, { ...mugOrder, email: ` ${TYPO}` });

      expect(page.status).toBe(200);
      expect(page.text).toContain('¿Quisiste escribir el correo ana@gmail.com?');
      expect(page.text).toContain('<bdi data-suggested>ana@gmail.com</bdi>');
      expect(page.text).toContain(`value=" ${TYPO}"`);
      expect(page.text).toContain('value="Ruiz Nava"');
      expect(askedIn(page.text)).toBe(TYPO);
    });
  },
);

test('the form is accepted the second time, with the mistyped address, and with the suggested one', async () => {
  const [keeps, corrects] = [await Customer.withCart(shop), await Customer.withCart(shop)];
  const first = await keeps.post('/checkout/hosted', { ...mugOrder, email: TYPO });
  const email_asked = askedIn(first.text);

  const kept = await keeps.post('/checkout/hosted', { ...mugOrder, email: TYPO, email_asked });
  const { email } = await theOrder(shop);
  const corrected = await corrects.post('/checkout/hosted', { ...mugOrder, email: 'ana@gmail.com', email_asked });

  expect([kept.status, corrected.status]).toEqual([302, 302]);
  expect(email).toBe(TYPO);
});

test('another mistyped address is asked about again', async () => {
  const customer = await Customer.withCart(shop);

  const page = await customer.post('/checkout/hosted', { ...mugOrder, email: 'ana@gmaul.com', email_asked: TYPO });

  expect(askedIn(page.text)).toBe('ana@gmaul.com');
});

test('a form with another error shows the question beside it, so that the next one is accepted', async () => {
  const customer = await Customer.withCart(shop);
  const wrong = await customer.post('/checkout/hosted', { ...mugOrder, first_name: '', email: TYPO });

  const next = await customer.post('/checkout/hosted', { ...mugOrder, email: TYPO, email_asked: askedIn(wrong.text) });

  expect(wrong.status).toBe(422);
  expect(next.status).toBe(302);
});
