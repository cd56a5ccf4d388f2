/** Reads the file of postal codes that Correos de México publishes: a notice, the names of the columns, and a row for each neighborhood. */
import { isUtf8 } from 'node:buffer';
import { CONTACT_FIELDS } from '../../shop/rules/contact.js';
import { type FormField, readField } from '../../shop/rules/form-field.js';

export interface PostalCode {
  readonly code: string;
  readonly municipalities: readonly string[];
  readonly neighborhoods: readonly string[];
}

export type PostalFile =
  | { readonly ok: true; readonly codes: readonly PostalCode[] }
  | { readonly ok: false; readonly problems: readonly string[] };

/** The columns that are read. A form must accept their cells. */
const COLUMNS = {
  d_codigo: CONTACT_FIELDS.postal_code,
  D_mnpio: CONTACT_FIELDS.municipality,
  d_asenta: CONTACT_FIELDS.neighborhood,
} as const satisfies Readonly<Record<string, FormField>>;
type Column = keyof typeof COLUMNS;
const COLUMN_NAMES = Object.keys(COLUMNS) as readonly Column[];
const SEPARATOR = '|';
const SPANISH = new Intl.Collator('es');

/** Returns the postal codes of the file, or a problem for each row that is not valid. */
export function readPostalFile(file: Uint8Array): PostalFile {
  const lines = textOf(file).split(/\r?\n/);
  const header = lines.findIndex((line) => COLUMN_NAMES.every((name) => line.split(SEPARATOR).includes(name)));
  if (header === -1) return { ok: false, problems: [`no row has the columns ${COLUMN_NAMES.join(', ')}`] };
  const readRow = rowReader(lines[header]?.split(SEPARATOR) ?? []);
  const places = new Map<string, { readonly municipalities: Set<string>; readonly neighborhoods: Set<string> }>();
  const problems: string[] = [];
  for (const [index, line] of lines.entries()) {
    if (index <= header || isEmpty(line)) continue;
    const row = readRow(line);
    if ('problem' in row) {
      problems.push(`row ${index + 1}, ${row.problem}`);
      continue;
    }
    const place = places.get(row.d_codigo) ?? { municipalities: new Set(), neighborhoods: new Set() };
    places.set(row.d_codigo, place);
    place.municipalities.add(row.D_mnpio);
    place.neighborhoods.add(row.d_asenta);
  }
  if (problems.length > 0) return { ok: false, problems };
  if (places.size === 0) return { ok: false, problems: ['the file has no postal code'] };
  const codes = [...places].map(([code, { municipalities, neighborhoods }]) => ({
    code,
    municipalities: [...municipalities].sort(SPANISH.compare),
    neighborhoods: [...neighborhoods].sort(SPANISH.compare),
  }));
  return { ok: true, codes };
}

/** The published file is ISO 8859-1. An editor may have stored it as UTF-8. */
function textOf(file: Uint8Array): string {
  return new TextDecoder(isUtf8(file) ? 'utf-8' : 'windows-1252').decode(file);
}

/** The file may have lines without text, and lines of separators only. */
function isEmpty(line: string): boolean {
  return /^[\s|]*$/.test(line);
}

/** Returns a function that reads the cells of a line, by column, or describes the first that is not valid. */
function rowReader(header: readonly string[]) {
  const indexes = COLUMN_NAMES.map((name) => [name, header.indexOf(name)] as const);
  return (line: string): Readonly<Record<Column, string>> | { readonly problem: string } => {
    const cells = line.split(SEPARATOR);
    if (cells.length !== header.length) return { problem: `${cells.length} columns in place of ${header.length}` };
    const row = { d_codigo: '', D_mnpio: '', d_asenta: '' };
    for (const [name, index] of indexes) {
      const cell = readField(cells[index], COLUMNS[name]);
      if ('problem' in cell) return { problem: `${name}: "${cells[index]}" is not valid` };
      row[name] = cell.value;
    }
    return row;
  };
}
