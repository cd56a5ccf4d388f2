/** What a form of any fields shows again. */
import { expect, test } from '@jest/globals';
import express from 'express';
import supertest from 'supertest';
import { conflictOf, type FormFields, readForm, refusedWith } from '../../src/web/form.js';
import { formBody } from '../../src/web/form-body.js';
import { versionOf } from '../../src/web/form-page.js';
import { requestContext } from '../../src/web/request-context.js';
import { openFileShop } from '../support/shared-shop.js';

const { context } = await openFileShop();
const CARD = '4111 1111 1111 1111';
const field = { label: 'form.busy', problem: 'form.busy', parse: (text: string) => text || undefined } as const;
const FIELDS = {
  name: field,
  note: field,
  phone: { ...field, kind: 'tel' },
  tracking_number: { ...field, holdsCard: () => false },
  own_password: field,
  pin: { ...field, kind: 'password' },
  empty: field,
} as const satisfies FormFields;

const app = express()
  .use(requestContext(context.web), ...formBody([]))
  .post('/', (_req, res) => void res.json(readForm(res, FIELDS)));

test('a refused form shows all typed texts again, but no password and no possible card number', async () => {
  const typed = { name: 'Eva', phone: '52 951 555 0101', tracking_number: CARD };
  const posted = { ...typed, note: `pago con ${CARD}`, own_password: ' una frase ', pin: '2468' };
  const { body } = await supertest(app).post('/').type('form').send(posted);

  const shown = { ...typed, note: 'pago con [digits]', own_password: '', pin: '', empty: '' };
  expect([body.typed, body.refused.typed]).toEqual([shown, shown]);
  expect(body.refused.errors.map((error: { readonly field: string }) => error.field)).toEqual(['note', 'empty']);
});

test('after an error a form posts the version that its user saw, and after a conflict the present one', () => {
  const form = { typed: {}, version: '3', values: {} };

  expect(versionOf(undefined, 5)).toBe('5');
  expect(versionOf(refusedWith(form, { name: 'x' }), 5)).toBe('3');
  expect(versionOf(conflictOf(form), 5)).toBe('5');
});
