/** Invoices in the back office: the list, the files, and the mark that one is issued. */
import { createHash } from 'node:crypto';
import { findRefundedOrders, findRemainders } from '@tianguis/payments/back-office';
import type { Request, Response } from 'express';
import { figureOf, type HealthCard } from '../../admin/health-card.js';
import { answer, orderOf, refuse, requestOf } from '../../admin/order/admin-order.js';
import { refundedText } from '../../admin/order/order-row.js';
import { ShopError } from '../../shop/rules/shop-error.js';
import type { Order } from '../../tables/orders.js';
import { errorList, type Typed } from '../../web/form.js';
import { postedText, readPageNumber, readText } from '../../web/form-body.js';
import { adminOrderPath } from '../../web/paths.js';
import { render } from '../../web/render.js';
import { type AdminAccess, contextOf, type RequestContext } from '../../web/request-context.js';
import { type ReceivedFile, receiveUpload, reportRefusal } from '../uploads/receive-upload.js';
import { INVOICE_FIELDS } from './invoice.js';
import { differencesOf, FILE_TYPES, readInvoiceFile } from './invoice-file.js';
import { attachInvoiceFile, issueInvoice } from './issue-invoice.js';
import { invoicesPaths } from './paths.js';
import type { Cfdi } from './read-cfdi.js';
import {
  type FileKind,
  findAmountToInvoice,
  findInvoiceRequest,
  findInvoices,
  INVOICE_STATES,
  readInvoiceFiles,
} from './repository.js';

const PAGE_SIZE = 50;
/** A value of a file is shown up to this length. */
const LONGEST_FOUND = 40;

/** Marks the invoice of an order as issued. */
export async function markIssued(req: Request, res: Response): Promise<void> {
  const order = await orderOf(res);
  answer(res, order, await issueInvoice(contextOf(res).checkout, requestOf(req, res, order)));
}

/** Stores the posted file of an invoice. Differences from the order are confirmed first. */
export async function attachFile(req: Request, res: Response): Promise<void> {
  await receiveUpload(res, (file) => attach(res, file), FILE_TYPES[kindOf(req)].limit);
}

function kindOf({ params }: Request): FileKind {
  const { kind } = params;
  if (kind !== 'pdf' && kind !== 'xml') throw new ShopError('admin_not_found');
  return kind;
}

async function attach(res: Response, file: ReceivedFile): Promise<void> {
  const context = contextOf(res);
  const { t, checkout } = context;
  const kind = kindOf(res.req);
  const order = await orderOf(res);
  const refuseFile = (message: string, typed: Typed = {}) =>
    refuse(res, order, { typed, errors: errorList({ [`invoice_${kind}`]: message }), status: 422 });
  const read = await readFile(kind, file);
  if (typeof read === 'string') {
    reportRefusal(res, read);
    const limit = FILE_TYPES[kind].limit / (1024 * 1024);
    return refuseFile(t(`invoices.files.problems.${read}`, { limit }));
  }
  const { bytes, cfdi } = read;
  const asked = createHash('sha256').update(bytes).digest('base64url');
  const differences = cfdi && (await describeDifferences(context, order, cfdi));
  if (differences && postedText(res.req, 'file_asked') !== asked)
    return refuseFile(t('invoices.files.question', { differences }), { invoice_file_asked: asked });
  answer(res, order, await attachInvoiceFile(checkout, { ...requestOf(res.req, res, order), kind, bytes }));
}

/** Returns the content of the file, or what is wrong with it. */
async function readFile(kind: FileKind, file: ReceivedFile) {
  if (file === undefined || file === 'empty') return 'missing';
  if (typeof file === 'string') return file;
  const read = await readInvoiceFile(kind, file);
  return read ? { bytes: file, ...read } : kind;
}

/** An XML may be of another invoice. `undefined`: it has the data of the order, or cannot be stored now. */
async function describeDifferences({ t, money, checkout }: RequestContext, order: Order, cfdi: Cfdi) {
  const request = await findInvoiceRequest(checkout.db.queries, order.id);
  const total = await findAmountToInvoice(checkout.db.queries, order);
  if (total === 0) return undefined;
  const differences = differencesOf(cfdi, { rfc: request?.rfc ?? '', total, currency: order.currency });
  const texts = differences.map(({ name, found, expected }) =>
    t(`invoices.files.differences.${name}`, {
      found: found.slice(0, LONGEST_FOUND) || '—',
      expected: name === 'total' ? money(total) : expected,
    }),
  );
  return texts.length === 0 ? undefined : texts.join('; ');
}

/** Sends a file of an invoice. The browser stores it, and never shows it as a page of the shop. */
export async function sendFile(req: Request, res: Response): Promise<void> {
  const kind = kindOf(req);
  const order = await orderOf(res);
  const files = await readInvoiceFiles(contextOf(res).checkout.db.queries, order.id);
  const file = files.find((each) => each.kind === kind);
  if (!file) throw new ShopError('admin_not_found');
  res.attachment(`CFDI-${order.number}.${kind}`).type(FILE_TYPES[kind].type);
  res.set('X-Content-Type-Options', 'nosniff').send(file.bytes);
}

/** Sends the list of invoices. An RFC with typing errors is searched for as typed, and is not found. */
export async function sendInvoices(req: Request, res: Response): Promise<void> {
  const context = contextOf(res);
  const { t, money, moment } = context;
  const typed = readText(req.query['rfc']).trim().slice(0, INVOICE_FIELDS.rfc.maxLength);
  const state = INVOICE_STATES.find((each) => each === req.query['state']) ?? 'to_issue';
  const page = readPageNumber(req);
  const rfc = INVOICE_FIELDS.rfc.parse(typed) ?? typed;
  const search = { state, rfc, limit: PAGE_SIZE + 1, offset: (page - 1) * PAGE_SIZE };
  const { queries } = context.checkout.db;
  const found = await findInvoices(queries, search);
  const refunded = await findRefundedOrders(queries, found);
  const remainders = await findRemainders(queries, found);
  const pathOf = (number: number) =>
    `${invoicesPaths.list}?${new URLSearchParams({ state, rfc: typed, page: String(number) })}`;
  const model = {
    action: invoicesPaths.list,
    rfc: typed,
    state,
    states: INVOICE_STATES.map((value) => ({ value, label: t(`invoices.states.${value}`) })),
    rows: found.slice(0, PAGE_SIZE).map((row) => ({
      ...row,
      amount: money(row.issuedAt === null ? (remainders.get(row.id) ?? row.total) : row.total),
      refunded: refundedText(context, refunded.get(row.id)),
      href: adminOrderPath(row),
      time: moment(row.issuedAt ?? row.createdAt),
    })),
    pages: {
      label: String(page),
      previous: page > 1 ? pathOf(page - 1) : undefined,
      next: found.length > PAGE_SIZE ? pathOf(page + 1) : undefined,
    },
  };
  await render(res, 'invoices/views/list', { title: t('invoices.list'), page: model, path: pathOf(page) });
}

/** Builds the card of the invoices to issue. Empty without any. */
export async function toIssueCards(context: RequestContext, admin: AdminAccess): Promise<readonly HealthCard[]> {
  const { t, checkout } = context;
  if (!admin.can(`GET ${invoicesPaths.list}`)) return [];
  const search = { state: 'to_issue', rfc: '', limit: PAGE_SIZE } as const;
  const { length } = await findInvoices(checkout.db.queries, search);
  if (length === 0) return [];
  const title = t('invoices.states.to_issue');
  const links = [{ label: t('invoices.list'), href: invoicesPaths.list }];
  return [{ title, figure: figureOf(context, length, PAGE_SIZE), tone: 'waiting', lines: [], links }];
}
