import type { TextsOf } from '../../locales/texts-of.js';
import type { esMx } from './es-mx.js';

export const en: TextsOf<typeof esMx> = {
  csv: 'Invoice: {{field}}',
  jobs: {
    invoice_link: 'Link to change the invoice data',
    invoice_changed: 'Invoice data email',
    invoice_issued: 'Invoice by email',
    on_invoice_requested: 'Invoice request to your system (on-invoice-requested)',
  },
  events: {
    invoice_requested: 'The customer requested an invoice',
    invoice_corrected: 'The customer corrected the invoice data',
    invoice_issued: 'The invoice was marked as issued',
  },
  results: {
    invoice_attached: 'The file is stored. The customer gets it once you mark the invoice as issued.',
    invoice_issued: 'The invoice is marked as issued.',
  },
  refusals: {
    invoice_closed: 'The invoice was already issued, or the customer changed the data. Check it.',
    invoice_refunded: 'Nothing of this order is left to invoice, or a refund is not resolved. Nothing was saved.',
  },
  list: 'Invoices',
  none: 'There are no invoices with these filters.',
  state: 'State',
  total: 'Total',
  time: 'Date',
  search: 'Search',
  states: { to_issue: 'To issue', issued: 'Issued' },
  issued: 'Your invoice was issued on {{day}}.',
  files: {
    pdf: 'PDF (optional)',
    xml: 'XML (optional)',
    hint: 'The files are sent to the email address of the invoice.',
    attach: 'Store the file',
    download: 'Download',
    issue: 'Mark as issued',
    question:
      'This XML seems to be of another invoice: {{differences}}. It was not stored. If it is the right one, check the box and choose the file again.',
    keep: 'Store this XML nevertheless',
    differences: {
      version: 'the version is {{found}}, not {{expected}}',
      rfc: 'the RFC of the receiver is {{found}}, not {{expected}}',
      total: 'the total is {{found}}, not {{expected}}',
      currency: 'the currency is {{found}}, not {{expected}}',
    },
    problems: {
      missing: 'Choose a file.',
      too_big: 'The file is larger than {{limit}} MB.',
      busy: 'Other files are being processed. Choose the file again in a few seconds.',
      pdf: 'The file is not a PDF.',
      xml: 'The file is not the XML of an invoice (CFDI 4.0), or has parts that a browser would run.',
    },
  },
  issuedMail: {
    subject: 'Invoice of order {{number}}',
    attached: 'Your invoice is attached to this email.',
    wrong: 'If a detail is wrong, reply to this email.',
  },
  admin: {
    title: 'Invoice data',
    requested: 'Requested',
    corrected: 'Corrected',
    issued: 'Issued',
    amount: 'To invoice',
    refunded: 'Nothing is left to invoice, or a refund is not resolved. The invoice cannot be marked as issued.',
    formerEmail:
      'The email address of the invoice was replaced in the order. Before you issue it, ask the customer whether it is right.',
    hint: 'The shop does not issue the invoice. A click selects a whole value, so that you can copy it.',
  },
  fields: {
    rfc: {
      label: 'RFC (Mexican tax ID)',
      required: 'Enter the RFC.',
      invalid: 'Check the RFC. It has 12 or 13 characters, for example RUNE900228AB1.',
    },
    registered_name: {
      label: 'Registered name',
      required: 'Enter the registered name.',
      invalid: 'Enter the name as in your “constancia”, on one line.',
    },
    tax_regime: { label: 'Tax regime', required: 'Choose the tax regime.', invalid: 'Choose a regime from the list.' },
    cfdi_use: {
      label: 'Use of the invoice (CFDI)',
      required: 'Choose the use of the invoice.',
      invalid: 'Choose a use from the list.',
    },
  },
  heading: 'Invoice',
  title: 'Request an invoice',
  correct: 'Correct the invoice data',
  order: 'Order {{number}}, total {{total}}',
  offer: 'Do you need an invoice (CFDI)? Request it by {{day}}.',
  received: 'We received your invoice data on {{day}}. You will get the invoice by email.',
  receivedOnly: 'We received your invoice data on {{day}}. If you need the invoice, write to us.',
  intro:
    'Copy the data exactly as in your “constancia de situación fiscal”. The tax authority (SAT) rejects an invoice if anything differs.',
  until: 'You can request it or correct the data until {{day}}.',
  replaces: 'We already have data for this order. What you send now replaces it.',
  linkNeeded:
    'We already received data for this order. To change it, use the browser you bought with, or ask for a link by email.',
  linkUsed: 'This link was used before or has expired.',
  sendLink: 'Send the link to the email address of the order',
  linkSent:
    'If the data can still be changed, the link will arrive at the email address of the order in a few minutes.',
  limited: 'The data of this order was already changed {{count}} times. If you need another change, write to us.',
  closed:
    'The invoice of this order cannot be requested here: the deadline has passed, or the order is not paid, is under review or was refunded, or the invoice was issued. If you need it, write to us.',
  choose: 'Choose an option',
  submit: 'Send my data',
  back: 'Back to the order',
  hints: {
    rfc: '13 characters for a person, 12 for a company.',
    registered_name: 'For a company, without “S.A. de C.V.” or another company type.',
    tax_regime: 'The current one in your “constancia”.',
    cfdi_use: 'Usually “Gastos en general”. With a regime for wages or without obligations, “Sin efectos fiscales”.',
    postal_code: 'The postal code of your tax address.',
    email: 'We send the invoice to this address.',
  },
  linkMail: {
    subject: 'Change the invoice data of order {{number}}',
    heading: 'Invoice data of order {{number}}',
    asked: 'The shop received a request to change the invoice data of this order. The link works once, for 24 hours.',
    link: 'Change the invoice data',
    notYou: 'If you did not ask for it, you do not need to do anything: the data did not change.',
  },
  changedMail: {
    received: 'We received the invoice data of order {{number}}',
    replaced: 'The invoice data of order {{number}} changed',
    what: 'You can check it on your order page, in the browser you bought with.',
    notYou: 'If you did not send it, write to us today, before the invoice is issued.',
  },
};
