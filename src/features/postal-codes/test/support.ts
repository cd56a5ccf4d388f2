/** A small file in the form of the one that Correos de México publishes. That one must not be passed on. */
import type { Database } from '../../../tables/database.js';
import { readPostalFile } from '../postal-file.js';
import { replacePostalCodes } from '../repository.js';

const NOTICE = 'Aviso inventado: no está permitida la distribución a terceros del Catálogo de Códigos Postales.';
const COLUMNS =
  'd_codigo|d_asenta|d_tipo_asenta|D_mnpio|d_estado|d_ciudad|d_CP|c_estado|c_oficina|c_CP|c_tipo_asenta|c_mnpio|id_asenta_cpcons|d_zona|c_cve_ciudad';

/** Returns the line of a neighborhood. */
export const line = (code: string, neighborhood: string, municipality: string) =>
  `${code}|${neighborhood}|Colonia|${municipality}|Jalisco||44101|14|44101||09|039|0001|Urbano|`;

/** Returns the text of a file with these lines after the notice and the columns. */
export const fileText = (...lines: readonly string[]) => `${[NOTICE, COLUMNS, ...lines].join('\r\n')}\r\n`;

const SAMPLE = [
  line('01000', 'San Ángel', 'Álvaro Obregón'),
  line('44100', 'Guadalajara Centro', 'Guadalajara'),
  line('44100', 'Artesanos', 'Guadalajara'),
  line('45019', 'Ciudad Bugambilias', 'Zapopan'),
  line('45640', 'El Palomar', 'Tlajomulco de Zúñiga'),
  line('45640', 'Los Gavilanes', 'San Pedro Tlaquepaque'),
];

/** Imports the sample. */
export async function importSample(db: Database): Promise<void> {
  const reading = readPostalFile(Buffer.from(fileText(...SAMPLE), 'latin1'));
  if (!reading.ok) throw new Error(reading.problems.join('\n'));
  await db.transaction((queries) => replacePostalCodes(queries, reading.codes));
}
