/** The content of the files of an invoice. */
import { fromPesosText } from '@tianguis/payments/rules';
import { type Cfdi, readCfdi } from './read-cfdi.js';
import type { FileKind } from './repository.js';

export const FILE_TYPES: Readonly<Record<FileKind, { readonly limit: number; readonly type: string }>> = {
  pdf: { limit: 3 * 1024 * 1024, type: 'application/pdf' },
  xml: { limit: 1024 * 1024, type: 'application/xml' },
};

/** Readers of PDF files find the header in this part. Before it there may be a byte order mark or blank lines, but no markup. */
const PDF_HEAD_BYTES = 1024;
const PDF_HEAD = /^[^<]*%PDF-/;

/** Returns the content of a PDF or of the XML of a CFDI. `undefined`: it is another file. */
export async function readInvoiceFile(kind: FileKind, bytes: Buffer): Promise<{ readonly cfdi?: Cfdi } | undefined> {
  if (kind === 'pdf') return PDF_HEAD.test(bytes.toString('latin1', 0, PDF_HEAD_BYTES)) ? {} : undefined;
  const cfdi = await readCfdi(bytes);
  return cfdi && { cfdi };
}

/** What the order and the request for its invoice say. */
interface Expected {
  readonly rfc: string;
  readonly total: number;
  readonly currency: string;
}

interface Difference {
  readonly name: 'version' | 'rfc' | 'total' | 'currency';
  readonly found: string;
  readonly expected: string | number;
}

/** Returns in what the file of an order's invoice differs from the order. Amounts are centavos where the file has an exact one. */
export function differencesOf(cfdi: Cfdi, { rfc, total, currency }: Expected): readonly Difference[] {
  const { version, receiverRfc, total: found, currency: foundCurrency } = cfdi;
  return [
    ...(version === '4.0' ? [] : [{ name: 'version', found: version, expected: '4.0' } as const]),
    ...(receiverRfc.toUpperCase() === rfc ? [] : [{ name: 'rfc', found: receiverRfc, expected: rfc } as const]),
    ...(fromPesosText(found) === total ? [] : [{ name: 'total', found, expected: total } as const]),
    ...(foundCurrency === currency ? [] : [{ name: 'currency', found: foundCurrency, expected: currency } as const]),
  ];
}
