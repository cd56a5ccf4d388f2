import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Request, Response } from 'express';
import { adminOf } from '../../admin/permissions.js';
import { exportProducts } from '../../catalog/product-file.js';
import { findPicturePaths } from '../../tables/pictures.js';
import { postedText } from '../../web/form-body.js';
import { render } from '../../web/render.js';
import { contextOf } from '../../web/request-context.js';
import { findAnswer, forgetForm, redirectToForm } from '../../web/typed-form.js';
import { type ReceivedFile, receiveUpload, reportRefusal } from '../uploads/receive-upload.js';
import { IMPORT_LIMIT, type ImportForm, importPage, previewForm } from './import-page.js';
import { applyPreviewed, findPreviewed, type PreviewedFile, previewFile, type Rules } from './import-upload.js';
import { productImportPaths } from './paths.js';

const STATUSES = { changed_meanwhile: 409, expired: 410, busy: 429 } as const;

/** Sends all products as CSV. */
export async function sendExport(_req: Request, res: Response): Promise<void> {
  res.attachment(productImportPaths.exportProducts).type('csv');
  res.send(await exportProducts(contextOf(res).checkout.db.queries));
}

/** Sends the form of the import, with the preview of the last file. */
export async function sendImport(req: Request, res: Response): Promise<void> {
  const context = contextOf(res);
  const path = productImportPaths.importProducts;
  const result = (['applied', 'expired'] as const).find((each) => each === req.query['result']);
  const form = (await findAnswer<ImportForm>(res, path)) ?? { result };
  const page = importPage(context, form);
  const title = context.t('productImport.title');
  const status = form.result && form.result !== 'applied' ? STATUSES[form.result] : undefined;
  await render(res, 'product-import/views/import', { title, hasErrors: page.errors.length > 0, page, status, path });
}

/** Returns the rules of the products, of which uploaded pictures are in the database. */
async function rulesOf(res: Response): Promise<Rules> {
  const { checkout, config, publicDirectory } = contextOf(res);
  const uploaded = new Set(await findPicturePaths(checkout.db.queries));
  return {
    locale: config.locales[0],
    hasPicture: (path) => uploaded.has(path) || existsSync(join(publicDirectory, path)),
    at: checkout.clock.now(),
    by: adminOf(res).name,
  };
}

/** Reads the posted file and shows what it would change. */
export function previewImport(_req: Request, res: Response): Promise<void> {
  return receiveUpload(res, (file) => preview(res, file), IMPORT_LIMIT);
}

async function preview(res: Response, file: ReceivedFile): Promise<void> {
  const { req } = res;
  const chosen = { stock: postedText(req, 'stock') === 'yes', hideMissing: postedText(req, 'hide_missing') === 'yes' };
  const refuse = (problem: Partial<ImportForm>) => {
    reportRefusal(res, problem.fileProblem ?? 'not_utf8');
    return redirectToForm(res, productImportPaths.importProducts, { ...chosen, ...problem });
  };
  if (file === 'busy')
    return redirectToForm(res, productImportPaths.importProducts, { ...chosen, result: file } satisfies ImportForm);
  if (file === undefined || typeof file === 'string') return refuse({ fileProblem: file ?? 'missing' });
  const text = decode(file);
  if (text === undefined) return refuse({ problems: [{ code: 'not_utf8' }], problemCount: 1 });
  await showPreview(res, { ...chosen, file: text }, await rulesOf(res));
}

/** Returns the text of a file, or `undefined` if it is not UTF-8. */
function decode(file: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(file);
  } catch {
    return undefined;
  }
}

async function showPreview(
  res: Response,
  previewed: Omit<PreviewedFile, 'fingerprint'>,
  rules: Rules,
  result?: 'changed_meanwhile',
): Promise<void> {
  const { stock, hideMissing } = previewed;
  const found = await previewFile(contextOf(res).checkout.db.queries, res.req.sessionID, previewed, rules);
  if (!found.ok) reportRefusal(res, found.problems[0]?.code ?? '');
  const form: ImportForm = { stock, hideMissing, result, ...previewForm(found) };
  await redirectToForm(res, productImportPaths.importProducts, form);
}

/** Stores the previewed file, unless the products changed after the preview. */
export async function applyImport(req: Request, res: Response): Promise<void> {
  const { db, clock, log } = contextOf(res).checkout;
  const { sessionID } = req;
  const asked = postedText(req, 'preview');
  const previewed = await findPreviewed(db.queries, sessionID, clock.now());
  if (!previewed) return res.redirect(303, `${productImportPaths.importProducts}?result=expired`);
  const sendApplied = async () => {
    await forgetForm(res, productImportPaths.importProducts);
    res.redirect(303, `${productImportPaths.importProducts}?result=applied`);
  };
  if ('applied' in previewed) {
    if (previewed.applied === asked) return sendApplied();
    return res.redirect(303, `${productImportPaths.importProducts}?result=expired`);
  }
  const rules = await rulesOf(res);
  if (previewed.fingerprint === asked && (await applyPreviewed(db, sessionID, previewed, rules))) {
    log.info('catalog.imported', { user: rules.by });
    return sendApplied();
  }
  // A double click: the first one applied it meanwhile.
  const now = await findPreviewed(db.queries, sessionID, clock.now());
  if (now && 'applied' in now && now.applied === asked) return sendApplied();
  await showPreview(res, previewed, rules, 'changed_meanwhile');
}
