import type { Request, Response } from 'express';
import { adminOf } from '../../admin/permissions.js';
import { type Cells, cellsOf } from '../../catalog/product-cells.js';
import { ShopError } from '../../shop/rules/shop-error.js';
import { findStoredProduct } from '../../tables/product-changes.js';
import { findCategories } from '../../tables/products.js';
import { postedText, readText } from '../../web/form-body.js';
import { adminProductPath } from '../../web/paths.js';
import { render } from '../../web/render.js';
import { contextOf } from '../../web/request-context.js';
import type { PostedPicture } from '../../web/services.js';
import { findAnswer, forgetForm, redirectToForm } from '../../web/typed-form.js';
import { readCells } from '../products/read-rows.js';
import { errorsIn, type ProductForm, ROW_COLUMNS, rowFields } from '../products/rows.js';
import { createProduct } from './create-product.js';
import { productEditorPaths } from './paths.js';
import { commonFields, idField } from './product-form.js';
import { commonColumns } from './read-form.js';

interface NewProductForm extends ProductForm {
  /** A file was posted, too. */
  readonly hadPicture?: boolean;
}

/** Without pictures in the form, a new product is hidden until it has its picture. */
const EMPTY = { tax_rate: '16', requires_shipping: 'yes' };

/** Sends the form of a new product. */
export async function sendNewProduct(req: Request, res: Response): Promise<void> {
  const refused = await findAnswer<NewProductForm>(res, productEditorPaths.newProduct);
  await sendForm(res, refused ?? { cells: await findFirstCells(req, res), problems: [] });
}

/** Stores a new product, with its picture if the form has a file. */
export function saveNewProduct(req: Request, res: Response): Promise<void> {
  const { newPictures } = contextOf(res);
  const isUpload = newPictures && req.is('multipart/form-data');
  return isUpload ? newPictures.receive(res, (file) => create(req, res, file)) : create(req, res);
}

/**
 * Returns the cells of an empty form, or with `from` those of the product to duplicate. The copy is hidden, and beside a
 * limited stock it has none.
 */
async function findFirstCells(req: Request, res: Response): Promise<Cells> {
  const from = readText(req.query['from']);
  const { checkout, newPictures } = contextOf(res);
  if (from === '') return { ...EMPTY, visible: newPictures ? 'yes' : 'no' };
  const stored = await findStoredProduct(checkout.db.queries, from);
  if (!stored) throw new ShopError('admin_not_found');
  const stock = stored.product.stock === null ? '' : '0';
  return { ...cellsOf(stored.product), id: '', stock, visible: 'no' };
}

/** The name describes the picture until the picture has a description of its own. */
function withDescribedPicture(cells: Cells): Cells {
  const names = Object.entries(cells).filter(([name]) => name.startsWith('name_'));
  const described = names.map(([name, value]) => [name.replace('name', 'image_alt'), value] as const);
  return { ...cells, ...Object.fromEntries(described.filter(([name]) => !cells[name]?.trim())) };
}

async function create(req: Request, res: Response, file?: PostedPicture): Promise<void> {
  const context = contextOf(res);
  const { db, clock, log } = context.checkout;
  const columns = [...commonColumns(context), ...ROW_COLUMNS, 'visible'];
  const cells = { ...withDescribedPicture(readCells(req, columns)), id: postedText(req, 'id') };
  const change = { cells, at: clock.now(), by: adminOf(res).name };
  const outcome = await createProduct(db, change, context.config.locales[0]);
  if (outcome.kind === 'refused')
    return redirectToForm(
      res,
      productEditorPaths.newProduct,
      { cells, problems: outcome.problems, hadPicture: file !== undefined } satisfies NewProductForm,
      { isChecked: true },
    );
  await forgetForm(res, productEditorPaths.newProduct);
  if (outcome.kind === 'created') log.info('product.created', { products: outcome.id });
  if (file !== undefined && context.newPictures) return context.newPictures.addFirst(res, outcome.id, file);
  res.redirect(303, `${adminProductPath(outcome)}?result=created`);
}

async function sendForm(res: Response, form: NewProductForm): Promise<void> {
  const context = contextOf(res);
  const common = commonFields(context, form, await findCategories(context.checkout.db.queries));
  // A picture is described when it is added.
  const texts = common.texts.map((group) => ({
    ...group,
    fields: group.fields.filter(({ name }) => !name.startsWith('image_alt')),
  }));
  const fields = [...rowFields(context, form), ...common.details];
  const more = [idField(context, form), ...common.more];
  const errors = errorsIn([...texts.flatMap((group) => group.fields), ...fields, ...more]);
  const { newPictures } = context;
  const pictures = newPictures?.field(context, form.hadPicture === true);
  const visible = form.cells['visible'] === 'yes';
  const page = { ...common, paths: productEditorPaths, errors, texts, fields, more, visible, pictures };
  const hasErrors = errors.length > 0;
  const title = context.t('productEditor.new');
  await render(res, 'product-editor/views/new-product', {
    title,
    hasErrors,
    page,
    path: productEditorPaths.newProduct,
    scripts: newPictures?.scripts,
  });
}
