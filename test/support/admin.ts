import { expect } from '@jest/globals';
import type { Response } from 'supertest';
import { addAdminUser, hashPassword, LOW_COST } from '../../src/admin/credentials.js';
import { EVERY_ROLE as ROLES } from '../../src/admin/permissions.js';
import type { Role } from '../../src/shop/rules/admin-user.js';
import { Customer } from './customer.js';
import { routesOf } from './pages.js';
import { PASSWORD, type TestShop } from './test-shop.js';

export { PASSWORD, ROLES };

export async function addUser({ context }: TestShop, name: string, role: Role): Promise<void> {
  const passwordHash = await hashPassword(PASSWORD, LOW_COST);
  const { db, clock } = context.checkout;
  await addAdminUser(db.queries, { name, role, passwordHash }, clock.now());
}

/** Returns the client of an admin user with a session. */
export async function openBackOffice(shop: Pick<TestShop, 'url'>, name = 'admin'): Promise<Customer> {
  const merchant = new Customer(shop);
  const answer = await merchant.post('/admin/sign-in', { name, password: PASSWORD });
  if (answer.headers['location'] !== '/admin') throw new Error(`the back office answered ${answer.status}`);
  return merchant;
}

/** Returns the result in the redirect of an action in the back office. */
export function resultOf({ headers }: { readonly headers: Partial<Record<string, string>> }) {
  return headers['location']?.split('?result=')[1];
}

/** Routes of the back office that need no session. */
export const PUBLIC_ROUTES: readonly string[] = ['GET /admin/sign-in', 'POST /admin/sign-in', 'GET /admin/problem'];

/** Returns the routes of the back office, those of the features too, as method and pattern. */
export function adminRoutesOf(shop: Pick<TestShop, 'context'>): readonly string[] {
  return routesOf(shop).filter((route) => route.includes(' /admin'));
}

/** Returns those of them that need a sign-in. */
export function guardedRoutesOf(shop: Pick<TestShop, 'context'>): readonly string[] {
  const { secondFactor } = shop.context.web;
  const isOfSignIn = (route: string) => secondFactor !== undefined && route.endsWith(` ${secondFactor.codePage}`);
  return adminRoutesOf(shop).filter((route) => !PUBLIC_ROUTES.includes(route) && !isOfSignIn(route));
}

/** Sends a request without fields to a route. Each of its parameters is the number of no order. */
export function askRoute(client: Customer, route: string) {
  const [method, pattern = ''] = route.split(' ');
  const path = pattern.replaceAll(/:\w+/g, 'TG-2222-3333');
  return method === 'GET' ? client.get(path) : client.post(path, {});
}

/** Expects the page of a form of the back office that must wait: it names the seconds and leads to `href`. */
export function expectWaitingPage({ status, headers, text }: Response, href: string): void {
  expect([status, text.includes('<body class="admin">')]).toEqual([429, true]);
  expect(/<ul class="actions">.*?href="([^"]+)"/s.exec(text)?.[1]).toBe(href);
  expect(text).toContain(`Espera ${headers['retry-after']} s`);
  expect(text).not.toContain('Hubo demasiados intentos');
}
