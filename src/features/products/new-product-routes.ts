import type { Request, Response } from 'express';
import { type AdminRouter, adminOf } from '../../admin/permissions.js';
import { type Cells, cellsOf } from '../../catalog/product-cells.js';
import { findStoredProduct } from '../../db/product-changes.js';
import type { Product } from '../../shop/rules/product.js';
import { ShopError } from '../../shop/rules/shop-error.js';
import { postedText, readText } from '../../web/form-body.js';
import { adminProductPath } from '../../web/paths.js';
import { render } from '../../web/render.js';
import { contextOf } from '../../web/request-context.js';
import { findAnswer, forgetForm, redirectToForm } from '../../web/typed-form.js';
import { createProduct } from './create-product.js';
import { deleteOrHideProduct } from './delete-product.js';
import { productsPaths } from './paths.js';
import { findFormSuggestions, type ProductForm, productFields, readCells } from './product-form.js';

/** A new product is hidden until it has its picture. */
const EMPTY = { tax_rate: '16', requires_shipping: 'yes', visible: 'no' };

/** A picture is described when it is added, and variants begin at the page of their product. */
const LEFT_OUT = ['image_alt', 'variant'] as const;

/** Adds the form of a new product, and the button that deletes one. */
export function addNewProductRoutes(app: AdminRouter): void {
  app.get(productsPaths.newProduct, async (req, res) => {
    const refused = await findAnswer<ProductForm>(res, productsPaths.newProduct);
    if (refused) return sendForm(res, refused);
    const { queries } = contextOf(res).checkout.db;
    const main = await findStoredProduct(queries, readText(req.query['variant_of']));
    await sendForm(res, { cells: main ? variantCells(main.product) : EMPTY, problems: [] });
  });
  app.post(productsPaths.newProduct, create);
  app.post(productsPaths.deleteProduct, deleteOrHide);
}

/** Returns the cells of a new variant: those of the main product without its id, stock and variant. */
function variantCells(main: Product): Cells {
  const cells = Object.entries(cellsOf(main)).filter(([name]) => name !== 'id' && !name.startsWith('variant_'));
  const stock = main.stock === null ? '' : '0';
  return { ...Object.fromEntries(cells), stock, visible: 'no', variant_of: main.id };
}

/** Returns whether the form is that of a variant. */
function isVariant(cells: Cells): boolean {
  return Object.entries(cells).some(([name, value]) => name.startsWith('variant') && value !== '');
}

/** The name describes the picture until the picture has a description of its own. */
function withDescribedPicture(cells: Cells): Cells {
  const names = Object.entries(cells).filter(([name]) => name.startsWith('name_'));
  const described = names.map(([name, value]) => [name.replace('name', 'image_alt'), value] as const);
  return { ...cells, ...Object.fromEntries(described.filter(([name]) => !cells[name]?.trim())) };
}

async function create(req: Request, res: Response): Promise<void> {
  const context = contextOf(res);
  const { db, clock, log } = context.checkout;
  const cells = { ...withDescribedPicture(readCells(req, context)), id: postedText(req, 'id') };
  const change = { cells, at: clock.now(), by: adminOf(res).name };
  const outcome = await createProduct(db, change, context.config.locales[0]);
  if (outcome.kind === 'refused')
    return redirectToForm(res, productsPaths.newProduct, { cells, problems: outcome.problems });
  await forgetForm(res, productsPaths.newProduct);
  if (outcome.kind === 'created') log.info('product.created', { products: outcome.id });
  res.redirect(303, `${adminProductPath(outcome)}?result=created`);
}

async function deleteOrHide(req: Request, res: Response): Promise<void> {
  const { db, clock, log } = contextOf(res).checkout;
  const id = String(req.params['id']);
  if (!(await findStoredProduct(db.queries, id))) throw new ShopError('admin_not_found');
  const outcome = await deleteOrHideProduct(db, { id, at: clock.now(), by: adminOf(res).name });
  if (outcome === 'hidden') log.info('product.changed', { products: id });
  if (outcome !== 'deleted') return res.redirect(303, `${adminProductPath({ id })}?result=${outcome}`);
  log.info('product.deleted', { products: id, user: adminOf(res).name });
  res.redirect(303, `${productsPaths.products}?result=deleted`);
}

async function sendForm(res: Response, form: ProductForm): Promise<void> {
  const context = contextOf(res);
  const fields = productFields(context, form, await findFormSuggestions(context));
  const left = LEFT_OUT.filter((name) => name === 'image_alt' || !isVariant(form.cells));
  const isAsked = ({ name }: { readonly name: string }) => !left.some((each) => name.startsWith(each));
  const page = {
    ...fields,
    paths: productsPaths,
    errors: fields.errors.filter(({ field }) => isAsked({ name: field })),
    texts: fields.texts.map((group) => ({ ...group, fields: group.fields.filter(isAsked) })),
    fields: [fields.price, fields.priceBefore, fields.stock, ...fields.details],
    more: [fields.id, ...fields.more.filter(isAsked)],
  };
  const hasErrors = page.errors.length > 0;
  const title = context.t('products.new');
  await render(res, 'products/new-product', { title, hasErrors, page, path: productsPaths.newProduct });
}
