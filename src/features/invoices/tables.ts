import type { Timestamps } from '@tianguis/payments/back-office';
import type { Generated } from 'kysely';
import type { FeatureRows } from '../../tables/feature-rows.js';

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
  /** When the merchant marked it as issued. */
  issuedAt: Generated<number | null>;
}

/** The files of an invoice. They are mailed to the customer when it is marked as issued. */
export interface InvoiceFilesTable {
  orderId: string;
  kind: 'pdf' | 'xml';
  bytes: Buffer;
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
  invoiceFiles: InvoiceFilesTable;
}

export const ROWS = {
  invoiceRequests: {
    personal: {
      by: 'orderId',
      copied: {
        rfc: 'plain',
        name: 'plain',
        taxRegime: 'plain',
        cfdiUse: 'plain',
        postalCode: 'plain',
        email: 'plain',
        version: 'plain',
        issuedAt: 'time',
        createdAt: 'time',
        updatedAt: 'time',
      },
    },
  },
  invoiceLinks: {
    personal: { by: 'orderId', copied: {} },
    expires: { key: 'hash', since: 'expiresAt', days: 0 },
  },
  /** The customer has them by mail. */
  invoiceFiles: { personal: { by: 'orderId', copied: {} } },
} as const satisfies FeatureRows<Tables>;

export type JobName = 'on_invoice_requested' | 'invoice_link' | 'invoice_changed' | 'invoice_issued';
