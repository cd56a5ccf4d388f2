/** What a posted form makes of the products of a group. No statement, so that one transaction decides and then writes. */
import type { CellProblem } from '../../catalog/file-problems.js';
import {
  type Cells,
  cellsOf,
  changedCells,
  columnOf,
  type ProductReading,
  productReader,
} from '../../catalog/product-cells.js';
import { variantChecker } from '../../catalog/variant-problems.js';
import type { StoredProduct } from '../../db/product-changes.js';
import type { Locale } from '../../shop/rules/locale.js';
import { type Product, slugOf } from '../../shop/rules/product.js';

/** The main product and its variants, or one product without a group. */
export type Group = readonly [main: StoredProduct, ...variants: StoredProduct[]];

/** The change of one product of the group. */
export interface ProductChange {
  readonly id: string;
  /** Version that the admin user saw (optimistic lock). */
  readonly version: number;
  /** Stock that the admin user saw. A sale changes the stock without a new version. */
  readonly seenStock: string;
  /** The stock that the admin user confirmed. Needed for an unusual one. */
  readonly confirmedStock: string;
  /** The new cells. Other cells stay. */
  readonly cells: Cells;
}

/** What is wrong with one product of the form. */
export interface RowProblems {
  /** Empty: the variant to add. */
  readonly id: string;
  readonly problems: readonly CellProblem[];
  /** Present: the typed stock is unusual beside this one, and the admin user must confirm it. */
  readonly stockBefore?: number | null;
}

/** A product of the group as it is after the change. */
export interface MemberReading {
  /** Absent: the variant to add. */
  readonly before?: StoredProduct;
  readonly reading: ProductReading;
}

const UNUSUAL_FACTOR = 10;
const ID_LIMIT = 64;

/** Cells that each product of a group has for itself, besides its variant. */
export const OWN_COLUMNS: readonly string[] = ['price', 'price_before', 'weight_g', 'stock', 'visible', 'variant_of'];

/** Returns the text that confirms a typed stock. An empty cell means unlimited. */
export function confirmationOf(stock = ''): string {
  return stock.trim() || 'unlimited';
}

/** Returns the cells without a stock that was not edited, so that it stays as a sale left it. */
export function editedCells({ cells, seenStock }: Pick<ProductChange, 'cells' | 'seenStock'>): Cells {
  const { stock, ...others } = cells;
  return stock === seenStock ? others : cells;
}

/** Returns whether the product, or a stock that was edited, changed after the page was rendered. */
export function isOutdated(
  { id, version, seenStock, cells }: ProductChange,
  products: readonly StoredProduct[],
): boolean {
  const stored = products.find(({ product }) => product.id === id);
  if (stored?.version !== version) return true;
  const { stock = seenStock } = cells;
  return stock !== seenStock && cellsOf(stored.product)['stock'] !== seenStock;
}

/** Reads each product of the group with its row. A common cell that changed in the row of the main product is in all. */
export function readGroup(
  group: Group,
  { rows, added }: { readonly rows: readonly ProductChange[]; readonly added: Cells | undefined },
  locale: Locale,
): readonly MemberReading[] {
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
      !column.startsWith('variant') &&
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
    ...{ ...cells, ...own, slug: '', variant_of: main.id },
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
  members: readonly MemberReading[],
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

/** Returns what is wrong with the cells of a product, without the rules of its group. */
export function cellProblems({ before, reading }: MemberReading, rows: readonly ProductChange[]): RowProblems {
  const id = before?.product.id ?? '';
  if (!reading.ok) return { id, problems: reading.problems };
  const row = rows.find((each) => each.id === id);
  const isConfirmed = row?.confirmedStock === confirmationOf(row?.cells['stock']);
  if (before && !isConfirmed && isUnusual(before.product.stock, reading.product.stock))
    return { id, problems: [{ column: 'stock', code: 'unusual' }], stockBefore: before.product.stock };
  return { id, problems: [] };
}

/** Returns whether a limited stock grows to more than ten times its value. A stock of 0 counts as 1. */
function isUnusual(before: number | null, after: number | null): boolean {
  return before !== null && (after ?? Number.POSITIVE_INFINITY) > UNUSUAL_FACTOR * Math.max(before, 1);
}
