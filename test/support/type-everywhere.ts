import { expect } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { address } from './customer.js';
import { typeKeys } from './typing.js';

const FIELDS = ':is(input:not([type="hidden"], [type="radio"], [type="checkbox"], [type="file"]), textarea):visible';
/** What is typed by field name or id, where its form matters. Other fields get a short text. */
const TYPED: Readonly<Record<string, string>> = {
  rfc: 'rune-900228-ab1',
  phone: address.phone,
  postal_code: address.postal_code,
  number: 'TG-7KMX-2AFR',
  'card-number-input': '4456 5400 0000 0063',
  card_number: '4456 5400 0000 0063',
  'expiry-input': '11/39',
  expiry: '11/39',
  'cvv-input': '918',
  cvv: '918',
  code: '123456',
};
const BY_TYPE: Readonly<Record<string, string>> = { number: '12', email: 'a@b.mx' };

interface Field {
  readonly id: string;
  readonly type: string;
  /** The same for two fields that act alike: the element without its value, and the scripts of the page. */
  readonly kind: string;
}

/** Reads all fields of the page, in their order. */
async function readFields(page: Page): Promise<readonly Field[]> {
  const scripts = await page.evaluate<string>('[...document.scripts].map(({ src }) => src).join()');
  return page.locator(FIELDS).evaluateAll((fields, scripts) => {
    return fields.map((field) => {
      const copy = field.cloneNode() as typeof field;
      for (const name of ['value', 'autofocus', 'aria-invalid', 'aria-describedby']) copy.removeAttribute(name);
      return { id: field.id, type: field.getAttribute('type') ?? '', kind: copy.outerHTML + scripts };
    });
  }, scripts);
}

/** Types key by key into a field. Returns its name, what was typed and what it holds. */
async function typeSample(field: Locator, { id, type }: Field): Promise<readonly string[]> {
  // In this date every order of day and month is the same.
  if (type === 'date') {
    await field.pressSequentially('11112026');
    return [id, '2026-11-11', await field.inputValue()];
  }
  // The cart sends a changed quantity by itself, so another text would be refused.
  const other = id.startsWith('quantity-') ? '2' : 'Ñú 1';
  const text = TYPED[id] ?? BY_TYPE[type] ?? other;
  await typeKeys(field, text);
  return [id, text, await field.inputValue()];
}

/** Opens a page and types into each of its fields, except those of a kind that was typed into before. Returns the number of fields. */
export async function typeEverywhere(page: Page, path: string, typed: Set<string>): Promise<number> {
  await page.goto(path);
  expect(page.url()).toContain(path);
  await page.evaluate('for (const details of document.querySelectorAll("details")) details.open = true');
  const fields = await readFields(page);
  for (const [index, field] of fields.entries()) {
    if (typed.has(field.kind)) continue;
    typed.add(field.kind);
    const [name, text, held] = await typeSample(page.locator(FIELDS).nth(index), field);
    expect([path, name, held]).toEqual([path, name, text]);
  }
  return fields.length;
}
