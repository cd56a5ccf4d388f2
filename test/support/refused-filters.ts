/** Filters of the list of orders that are refused. Each page that filters orders shows them in the same way. */
import { expect } from '@jest/globals';
import { brand } from '../../src/locales/brand.js';
import type { Customer } from './customer.js';

const PREFIX = brand.orderPrefix.toLowerCase();

type RefusedFilter = readonly [query: string, field: string, value: string, message: string];

export const REFUSED_FILTERS: RefusedFilter[] = [
  ['q=%25_%C3%A9a', 'q', '%_éa', 'Escribe un número de pedido completo, un correo completo'],
  [`q=${PREFIX}-K6W5`, 'q', `${PREFIX}-K6W5`, 'Escribe un número de pedido completo'],
  ['q=TG-9999-9999', 'q', 'TG-9999-9999', 'No hay ningún pedido con ese número.'],
  ['state=%3Cb%3E', 'state', '&lt;b&gt;', 'no es un estado'],
  ['from=2026-02-30', 'from', '2026-02-30', 'no es una fecha'],
  ['from=2026-03-02&to=2026-03-01', 'to', '2026-03-01', 'Esta fecha es anterior a la fecha inicial.'],
];

/** Expects that `page` answers the filter with the form, the error at its field, the other filters and no order. */
export async function expectRefusedFilter(
  merchant: Customer,
  page: string,
  [query, field, value, message]: RefusedFilter,
): Promise<void> {
  const { status, text, headers } = await merchant.get(`${page}?${query}&review=1`);

  expect([status, headers['content-type']]).toEqual([422, 'text/html; charset=utf-8']);
  expect(text).toMatch(new RegExp(`id="${field}-error" role="alert">[^<]*${message}`));
  expect(text).toMatch(new RegExp(`id="${field}"[^>]*aria-invalid="true"`));
  expect(text).toContain(`value="${value}"`);
  expect(text).toMatch(/id="review"[^>]* checked>/);
  expect(ordersIn(text)).toEqual([]);
}

/** Returns the numbers of the orders that a page of the back office links to. */
export const ordersIn = (html: string) =>
  [...html.matchAll(/href="\/admin\/orders\/([A-Z]{2}-[^"]+)"/g)].map(([, number]) => number);
