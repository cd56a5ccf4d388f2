/** What a posted form makes of the products of a group. No statement, so that one transaction decides and then writes. */
import { type Cells, cellsOf, changedCells, columnOf, productReader } from '../../catalog/product-cells.js';
import { variantChecker } from '../../catalog/variant-problems.js';
import type { Locale } from '../../shop/rules/locale.js';
import { type Product, slugOf } from '../../shop/rules/product.js';
import type { StoredProduct } from '../../tables/product-changes.js';
import type { ProductGroup } from '../../web/services.js';
import {
  cellProblems,
  editedCells,
  type ProductAfter,
  type ProductChange,
  type RowProblems,
} from '../products/change-rows.js';

const ID_LIMIT = 64;

/** Cells that each product of a group has for itself, besides its variant. */
export const OWN_COLUMNS: readonly string[] = ['price', 'price_before', 'weight_g', 'stock', 'visible', 'variant_of'];

/** Reads each product of the group with its row. A common cell that changed in the row of the main product is in all. */
export function readGroup(
  group: ProductGroup,
  { rows, added }: { readonly rows: readonly ProductChange[]; readonly added: Cells | undefined },
  locale: Locale,
): readonly ProductAfter[] {
  // The picture is not part of the change, so a missing file does not prevent it.
  const read = productReader({ locale, hasPicture: () => true });
  const readMember = ({ product }: StoredProduct, common: Cells) => {
    const row = rows.find(({ id }) => id === product.id);
    return read({ ...cellsOf(product), ...common, ...(row && editedCells(row)) });
  };
  const [main, ...variants] = group;
  const reading = readMember(main, {});
  const after = reading.ok ? reading.product : main.product;
  return [
    { before: main, reading },
    ...variants.map((before) => ({ before, reading: readMember(before, commonChanges(main.product, after, before)) })),
    ...(added ? [{ reading: read(addedCells(after, added, locale)) }] : []),
  ];
}

/** Returns the changed common cells. A variant with a picture of its own has its own image text. */
function commonChanges(before: Product, after: Product, { product }: StoredProduct): Cells {
  const changed = Object.entries(changedCells(before, after)).filter(
    ([column]) =>
      !OWN_COLUMNS.includes(column) &&
      (column === 'variant_attribute' || !column.startsWith('variant')) &&
      (product.image === before.image || !column.startsWith('image_alt')),
  );
  return Object.fromEntries(changed.map(([column, [, cell]]) => [column, cell]));
}

/** Returns the cells of a new variant: those of its main product, and its own. An empty price or weight is that of the main product. */
function addedCells(main: Product, { id = '', price = '', weight_g = '', ...own }: Cells, locale: Locale): Cells {
  const cells = cellsOf(main);
  const { price: mainPrice = '', weight_g: mainWeight = '' } = cells;
  // Always the same for these texts, so that a form that is posted twice adds one variant.
  const made = `${main.id}-${slugOf(own[columnOf('variant', locale)] ?? '')}`.slice(0, ID_LIMIT);
  return {
    ...cells,
    ...own,
    slug: '',
    variant_of: main.id,
    id: id.trim() || made,
    price: price.trim() || mainPrice,
    weight_g: weight_g.trim() || mainWeight,
  };
}

/**
 * Returns the products with problems. `others` are the main products of other groups that a product joins. The rules of the
 * group are checked once all cells are valid.
 */
export function problemsOf(
  members: readonly ProductAfter[],
  { rows, others }: { readonly rows: readonly ProductChange[]; readonly others: readonly Product[] },
  locale: Locale,
): readonly RowProblems[] {
  const products = members.flatMap(({ reading }) => (reading.ok ? [reading.product] : []));
  const isReadable = products.length === members.length;
  const check = variantChecker([...others, ...products], locale);
  const found = members.map((member): RowProblems => {
    const own = cellProblems(member, rows);
    if (own.problems.length > 0 || !isReadable || !member.reading.ok) return own;
    return { ...own, problems: check(member.reading.product) };
  });
  return found.filter(({ problems }) => problems.length > 0);
}
