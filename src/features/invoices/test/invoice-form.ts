/** The invoice data that `invoiceForm` is stored as. */
export const invoiceReceiver = {
  rfc: 'RUNE900228AB1',
  name: 'EVA RUIZ NAVA',
  taxRegime: '612',
  cfdiUse: 'G03',
  postalCode: '68000',
  email: 'facturas@example.com',
};

export const invoiceForm = {
  rfc: 'rune-900228-ab1',
  registered_name: 'Eva Ruiz Nava',
  tax_regime: '612',
  cfdi_use: 'G03',
  postal_code: '68000',
  email: 'facturas@example.com',
};
