import { expect } from '@jest/globals';
import supertest from 'supertest';
import type { TestShop } from './test-shop.js';

/** Posts a form with an error without cookies. Expects that `page` explains why it shows nothing of what was typed. */
export async function expectCookieHint(shop: Pick<TestShop, 'url'>, form: string, page: string): Promise<void> {
  const posted = await supertest(shop.url).post(form).type('form').redirects(0).send({ email: 'eva.ruiz' });
  const { text } = await supertest(shop.url).get(posted.headers['location'] ?? '');

  expect([posted.status, posted.headers['location']]).toEqual([303, `${page}?answer=1`]);
  expect(text).toContain('tu navegador no acepta las cookies');
  expect(text).not.toContain('eva.ruiz');
}
