/** Invoices in the back office: the list, the files, and the mark that one is issued. */
import type { Request, Response } from 'express';
import { answer, orderOf, requestOf, type SendOrder } from '../../admin/admin-order.js';
import { figureOf, type HealthCard } from '../../admin/health-card.js';
import { refundedText } from '../../admin/order-row.js';
import type { AdminRouter } from '../../admin/permissions.js';
import { findRefundedOrders, findRemainders } from '../../payments/index.js';
import { ShopError } from '../../shop/rules/shop-error.js';
import { readPageNumber, readText } from '../../web/form-body.js';
import { adminOrderPath } from '../../web/paths.js';
import { render } from '../../web/render.js';
import { type AdminAccess, contextOf, type RequestContext } from '../../web/request-context.js';
import { type ReceivedFile, receiveUpload } from '../uploads/receive-upload.js';
import { INVOICE_FIELDS } from './invoice.js';
import { FILE_TYPES, isFileOf } from './invoice-file.js';
import { attachInvoiceFile, issueInvoice } from './issue-invoice.js';
import { invoicesPaths } from './paths.js';
import { type FileKind, findInvoices, INVOICE_STATES, readInvoiceFiles } from './repository.js';

const PAGE_SIZE = 50;

export function addAdminInvoiceRoutes(app: AdminRouter, sendOrder: SendOrder): void {
  app.get(invoicesPaths.list, sendList);
  app.post(invoicesPaths.issue, async (req, res) => {
    const order = await orderOf(res);
    answer(res, order, await issueInvoice(contextOf(res).checkout, requestOf(req, res, order)));
  });
  app.get(invoicesPaths.file, sendFile);
  app.post(invoicesPaths.file, (req, res) =>
    receiveUpload(res, (file) => attach(res, file, sendOrder), FILE_TYPES[kindOf(req)].limit),
  );
}

function kindOf({ params }: Request): FileKind {
  const { kind } = params;
  if (kind !== 'pdf' && kind !== 'xml') throw new ShopError('admin_not_found');
  return kind;
}

async function attach(res: Response, file: ReceivedFile, sendOrder: SendOrder): Promise<void> {
  const { t, checkout } = contextOf(res);
  const kind = kindOf(res.req);
  const order = await orderOf(res);
  const bytes = readFile(kind, file);
  if (typeof bytes === 'string') {
    const limit = FILE_TYPES[kind].limit / (1024 * 1024);
    const message = t(`invoices.files.problems.${bytes}`, { limit });
    return sendOrder(res, { typed: {}, errors: [{ field: `invoice_${kind}`, message }] });
  }
  answer(res, order, await attachInvoiceFile(checkout, { ...requestOf(res.req, res, order), kind, bytes }));
}

/** Returns the content of the file, or what is wrong with it. */
function readFile(kind: FileKind, file: ReceivedFile) {
  if (file === undefined || file === 'empty') return 'missing';
  return typeof file === 'string' || isFileOf(kind, file) ? file : kind;
}

/** The browser stores the file, and never shows it as a page of the shop. */
async function sendFile(req: Request, res: Response): Promise<void> {
  const kind = kindOf(req);
  const order = await orderOf(res);
  const files = await readInvoiceFiles(contextOf(res).checkout.db.queries, order.id);
  const file = files.find((each) => each.kind === kind);
  if (!file) throw new ShopError('admin_not_found');
  res.attachment(`CFDI-${order.number}.${kind}`).type(FILE_TYPES[kind].type);
  res.set('X-Content-Type-Options', 'nosniff').send(file.bytes);
}

/** An RFC with typing errors is searched for as typed, and is not found. */
async function sendList(req: Request, res: Response): Promise<void> {
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
  await render(res, 'invoices/list', { title: t('invoices.list'), page: model, path: pathOf(page) });
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
