/** Why products are refused, as values. A command says them in English, a page in the language of its user. */

/** A sentence about the whole file, or the rest of one that begins with the place and the value. */
export const PROBLEM_TEXTS = {
  weight: 'is not a whole number of grams from 1 to 1,000,000 (leave it empty if unknown)',
  not_utf8: 'The file is not UTF-8 text. Save it as "CSV UTF-8".',
  no_csv: 'The file is not valid CSV. Check the quotes near line {{line}}.',
  empty: 'The file is empty.',
  too_many_rows: 'The file has more than {{limit}} rows. Import it in parts.',
  too_many_columns:
    'A row of the file has more than {{limit}} cells. Delete the empty columns, or save it as CSV with commas.',
  too_many_cells: 'The file has more than {{limit}} cells. Delete the empty columns, or import it in parts.',
  no_products: 'The file has no products.',
  missing_column: 'The column {{name}} is missing.',
  unnamed_column: 'has cells but no name',
  unknown_column: 'is not a known column',
  repeated_column: 'appears twice',
  extra_cells: 'has {{cells}} cells instead of {{columns}}',
  missing_cell: 'is missing, because the row has {{cells}} cells instead of {{columns}}',
  repeated_id: 'is also the id of row {{row}}',
  slug_of_row: 'is also the slug of row {{row}}',
  slug_of_product: 'is also the slug of the product "{{id}}"',
  fixed_slug: 'cannot change: the slug of this product is "{{slug}}"',
  missing: 'is missing',
  too_long: 'has more than {{limit}} characters',
  formula: 'begins like a spreadsheet formula',
  control: 'has a line break or a control character',
  no_letter: 'has no letter from A to Z',
  id: 'must be 1 to 64 letters without accents, digits, - or _',
  reserved_id: 'is reserved for order fees',
  slug: 'may only have lowercase letters without accents and digits, joined by -',
  separators: 'is ambiguous: write the decimals after a point, as in 1250.00 or 1,250.00',
  pesos: 'is not an amount in pesos, such as 1099.5 or 1,099.00',
  not_positive: 'is not above zero',
  price_before: 'is not above the price',
  stock: 'is not a whole number from 0 to 1,000,000 (leave it empty for unlimited)',
  tax_rate: 'is not one of {{rates}}',
  yes_or_no: 'is neither yes nor no',
  image:
    'is not the path of a .jpg, .jpeg, .png, .webp or .svg file below public/, such as /products/mug.jpg, or the address of an uploaded picture',
  no_such_image: 'is neither a file below public/ nor an uploaded picture',
  clave_prod_serv: 'is not 8 digits',
  clave_unidad: 'is not 1 to 3 letters or digits',
  variant_attribute: 'is not one of {{names}} (leave it empty if none fits)',
  no_main: 'is not the id of a product',
  own_main: 'is the product itself',
  main_is_variant: 'is itself a variant of "{{main}}"',
  has_variants: 'is set, but this product has variants of its own',
  main_without: 'has no {{name}}',
  missing_in_group: 'is missing in a group of variants',
} as const satisfies Readonly<Record<string, string>>;

/** Reading stops at this number of problems, of which a page shows the first ones. */
export const MAX_PROBLEMS = 1_000;

export type ProblemCode = keyof typeof PROBLEM_TEXTS;

/** What the placeholders of a text stand for. */
type ProblemValues = Readonly<Record<string, string | number>>;

/** A problem of one cell. The pages of products have codes of their own, too. */
export interface CellProblem<Code extends string = string> {
  readonly column: string;
  readonly code: Code;
  readonly values?: ProblemValues;
}

/** A problem of a file. */
export interface FileProblem {
  readonly code: ProblemCode;
  readonly values?: ProblemValues;
  /** Number in the spreadsheet. The heading is row 1. Absent: the problem is not in one row. */
  readonly row?: number;
  /** Name of the column. */
  readonly column?: string;
  /** Number of the column, from 1. Present if the heading itself is wrong. */
  readonly place?: number;
  /** The cell, shortened. */
  readonly value?: string;
}

/** Returns a problem as a line in English, such as `row 3, price: "gratis" is not an amount in pesos`. */
export function problemText({ code, values = {}, row, column, place, value }: FileProblem): string {
  const where = [row && `row ${row}`, place && `column ${place}`, column].filter(Boolean).join(', ');
  const text = PROBLEM_TEXTS[code].replace(/\{\{(\w+)\}\}/g, (_match, name: string) => String(values[name]));
  return `${where && `${where}: `}${value ? `"${value}" ` : ''}${text}`;
}
