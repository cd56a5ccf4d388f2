import { expect, test } from '@jest/globals';
import { invoiceDeadline, readInvoiceData } from '../invoice.js';
import { CFDI_USES, TAX_REGIMES } from '../sat-catalogs.js';
import { invoiceForm, invoiceReceiver } from './invoice-form.js';

const person = invoiceForm;
const company = { ...person, rfc: 'TUN0902282Q1', registered_name: 'Talleres Unidos', tax_regime: '601' };

/** Returns the accepted data, or the problems by field. */
function read(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const result = readInvoiceData(fields);
  return { ...(result.ok ? result.data : result.problems) };
}

test('the invoice data of a person and of a company is stored as the tax authority writes it', () => {
  expect(read({ ...person, rfc: ' rune-900228 ab1 ' })).toEqual(invoiceReceiver);
  expect(read({ ...company, registered_name: '  Peña &  Núñez ' })).toMatchObject({ name: 'PEÑA & NÚÑEZ' });
  expect(read({ ...company, rfc: 'ñ&a 000229 1a9' })).toMatchObject({ rfc: 'Ñ&A0002291A9' });
});

test.each([
  ...['RUNE900228AB', 'RUNE900228AB12', 'RUNE900230AB1', 'RUNE901328AB1', 'RUNE900200AB1', 'RUNE900028AB1'],
  ...['RUN1900228AB1', 'RUNE900228ABB', 'RUNE9O0228AB1', 'RÚNE900228AB1', 'TU0902282Q1', 'RUNE010229AB1'],
])('the RFC %s is refused', (rfc) => {
  expect(read({ ...person, rfc })).toEqual({ rfc: 'invalid' });
});

test.each([
  ['registered_name', 'EVA|RUIZ', 'invalid'],
  ['registered_name', 'x'.repeat(301), 'tooLong'],
  ['registered_name', '4111 1111 1111 1111', 'cardData'],
  ['rfc', '4111-1111-1111-1111', 'cardData'],
  ['rfc', 'XAXX010101000', 'publicRfc'],
  ['rfc', 'xexx 010101 000', 'publicRfc'],
  ['rfc', 'RUNE900228AB1 RUNE900228AB1', 'invalid'],
  ['rfc', ['RUNE900228AB1', 'RUNE900228AB1'], 'invalid'],
  ['tax_regime', '999', 'invalid'],
  ['tax_regime', 'toString', 'invalid'],
  ['cfdi_use', 'CP01', 'invalid'],
  ['cfdi_use', ['G03', 'G03'], 'invalid'],
  ['postal_code', '6800', 'invalid'],
  ['email', 'eva', 'invalid'],
])('the invoice field %s refuses %j as %s', (name, value, problem) => {
  expect(read({ ...person, [name]: value })).toEqual({ [name]: problem });
});

test.each(Object.entries(TAX_REGIMES))(
  'the tax regime %s is accepted for its receivers and uses only',
  (tax_regime, { of, spends }) => {
    const refusing = [company, person].filter(
      (fields) => 'tax_regime' in read({ ...fields, tax_regime, cfdi_use: 'S01' }),
    );
    const owner = of === 'company' ? company : person;
    const refused = Object.keys(CFDI_USES).filter(
      (cfdi_use) => read({ ...owner, tax_regime, cfdi_use })['cfdi_use'] === 'otherRegime',
    );

    expect(refusing).toEqual({ company: [person], person: [company], both: [] }[of]);
    expect(refused).toEqual(spends ? [] : ['G01', 'G02', 'G03', 'I02', 'I04', 'I08']);
  },
);

const at = (iso: string) => Date.parse(iso);
const paidAt = at('2026-12-01T05:59:59Z');
const paid = { paidAt, confirmedAt: paidAt, firstName: 'Eva' };

test.each([
  // 23:59:59 on 30 November in Mexico City.
  ['2026-12-01T05:59:59Z', 1, '2027-01-01T06:00:00.000Z'],
  ['2026-12-01T06:00:00Z', 1, '2027-02-01T06:00:00.000Z'],
  ['2026-12-15T12:00:00Z', 0, '2027-01-01T06:00:00.000Z'],
  ['2026-01-31T12:00:00Z', 1, '2026-03-01T06:00:00.000Z'],
  ['2026-03-31T12:00:00Z', 12, '2027-04-01T06:00:00.000Z'],
])('an order paid at %s may be invoiced for %i more months, until %s', (paidAt, months, end) => {
  const order = { ...paid, paidAt: at(paidAt), confirmedAt: at(paidAt) };

  expect(invoiceDeadline(order, months, at(end) - 1)).toBe(at(end));
  expect(invoiceDeadline(order, months, at(end))).toBeUndefined();
});

test.each([
  // The month ends on 31 December, and the 72 hours end on 3 January at 23:59:59 in Mexico City.
  ['2027-01-01T05:59:59Z', '2027-01-04T06:00:00.000Z'],
  ['2027-03-10T18:00:00Z', '2027-03-14T06:00:00.000Z'],
  ['2026-12-05T18:00:00Z', '2027-01-01T06:00:00.000Z'],
])(
  'an order whose payment was confirmed at %s may be invoiced on the day 72 hours later, until %s',
  (confirmedAt, end) => {
    const order = { ...paid, confirmedAt: at(confirmedAt) };

    expect(invoiceDeadline(order, 1, at(end) - 1)).toBe(at(end));
    expect(invoiceDeadline(order, 1, at(end))).toBeUndefined();
  },
);

test.each([
  ['without the setting', paid, undefined],
  ['that is not paid', { ...paid, paidAt: null }, 1],
  ['whose personal data was erased', { ...paid, firstName: '' }, 1],
])('an order %s cannot be invoiced', (_what, order, months) => {
  expect(invoiceDeadline(order, months, paid.paidAt)).toBeUndefined();
});
