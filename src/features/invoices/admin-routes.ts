/** Invoices in the back office: the list, the files, and the mark that one is issued. */
import type { Request, Response } from 'express';
import { answer, orderOf, requestOf, type SendOrder } from '../../admin/admin-order.js';
import { figureOf, type HealthCard } from '../../admin/health-card.js';
import type { AdminRouter } from '../../admin/permissions.js';
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
import { type FileKind, findInvoices, INVOICE_STATES, type IssuedState, readInvoiceFiles } from './repository.js';

const PAGE_SIZE = 50;

export function addAdminInvoiceRoutes(app: AdminRouter, sendOrder: SendOrder): void {
  app.get(invoicesPaths.list, sendList);
  app.post(invoicesPaths.issue, async (req, res) => {
    const order = await orderOf(res);
    answer(res, order, await issueInvoice(contextOf(res).checkout, requestOf(req, res, order)));
  });
  app.get(invoicesPaths.file, sendFile);
  app.post(invoicesPaths.file, async (req, res) => {
    const kind = kindOf(req);
    await receiveUpload(res, (file) => attach(req, res, { kind, file, sendOrder }), FILE_TYPES[kind].limit);
  });
}

function kindOf({ params }: Request): FileKind {
  const { kind } = params;
  if (kind !== 'pdf' && kind !== 'xml') throw new ShopError('admin_not_found');
  return kind;
}

interface Attachment {
  readonly kind: FileKind;
  readonly file: ReceivedFile;
  readonly sendOrder: SendOrder;
}

async function attach(req: Request, res: Response, { kind, file, sendOrder }: Attachment): Promise<void> {
  const { t, checkout } = contextOf(res);
  const order = await orderOf(res);
  const problem = problemOf(kind, file);
  if (problem !== undefined || !(file instanceof Buffer)) {
    const limit = FILE_TYPES[kind].limit / (1024 * 1024);
    const message = t(`invoices.files.problems.${problem ?? 'missing'}`, { limit });
    return sendOrder(res, { typed: {}, errors: [{ field: `invoice_${kind}`, message }] });
  }
  answer(res, order, await attachInvoiceFile(checkout, { ...requestOf(req, res, order), kind, bytes: file }));
}

function problemOf(kind: FileKind, file: ReceivedFile) {
  if (file === undefined || file === 'empty') return 'missing';
  if (typeof file === 'string') return file;
  return isFileOf(kind, file) ? undefined : kind;
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
  const found = await findInvoices(context.checkout.db.queries, search);
  const pathOf = (number: number) => listPath({ state, rfc: typed, page: number });
  const model = {
    action: invoicesPaths.list,
    rfc: typed,
    state,
    states: INVOICE_STATES.map((each) => ({
      value: each,
      label: t(`invoices.states.${each}`),
      selected: each === state,
    })),
    rows: found.slice(0, PAGE_SIZE).map(({ number, total, rfc: receiver, name, createdAt, issuedAt }) => ({
      ...{ number, rfc: receiver, name, total: money(total), href: adminOrderPath({ number }) },
      time: moment(issuedAt ?? createdAt),
    })),
    pages: {
      label: String(page),
      previous: page > 1 ? pathOf(page - 1) : undefined,
      next: found.length > PAGE_SIZE ? pathOf(page + 1) : undefined,
    },
  };
  await render(res, 'invoices/list', { title: t('invoices.list'), page: model, path: pathOf(page) });
}

function listPath(query: { readonly state: IssuedState; readonly rfc: string; readonly page: number }): string {
  return `${invoicesPaths.list}?${new URLSearchParams({ ...query, page: String(query.page) })}`;
}

/** Builds the card of the invoices to issue. Empty without any. */
export async function toIssueCards(context: RequestContext, admin: AdminAccess): Promise<readonly HealthCard[]> {
  const { t, checkout } = context;
  if (!admin.can(`GET ${invoicesPaths.list}`)) return [];
  const search = { state: 'to_issue', rfc: '', limit: PAGE_SIZE } as const;
  const { length } = await findInvoices(checkout.db.queries, search);
  if (length === 0) return [];
  const links = [{ label: t('invoices.list'), href: invoicesPaths.list }];
  return [
    {
      title: t('invoices.states.to_issue'),
      figure: figureOf(context, length, PAGE_SIZE),
      tone: 'waiting',
      lines: [],
      links,
    },
  ];
}
