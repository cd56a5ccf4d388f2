import type { Timestamps } from '../../payments/index.js';

/** The customer's data for an invoice of a paid order. */
export interface InvoiceRequestsTable extends Timestamps {
  orderId: string;
  rfc: string;
  name: string;
  taxRegime: string;
  cfdiUse: string;
  postalCode: string;
  email: string;
  /** 1, and one more with each correction. */
  version: number;
}

/** Links that open the invoice form of an order once. */
export interface InvoiceLinksTable {
  /** SHA-256 of the secret part. */
  hash: string;
  orderId: string;
  expiresAt: number;
}

export interface Tables {
  invoiceRequests: InvoiceRequestsTable;
  invoiceLinks: InvoiceLinksTable;
}

export type JobName = 'on_invoice_requested' | 'invoice_link' | 'invoice_changed';
