/** `npm run admin -- postal-codes`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { openCommands } from '../../../../test/support/commands.js';
import { numbers } from '../../../../test/support/crowd.js';
import { findPostalCode } from '../repository.js';
import { fileText, line } from './support.js';

const { folder, queries, admin } = await openCommands();
const file = join(folder, 'CPdescarga.txt');

async function importFile(content: string | Uint8Array) {
  writeFileSync(file, content);
  return admin(['postal-codes', '--file', file]);
}

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const storedCodes = () => queries.selectFrom('postalCodes').selectAll().orderBy('code').execute();

test('a file replaces all postal codes, with the accents of ISO 8859-1, each name once and in order', async () => {
  await importFile(latin1(fileText(line('99999', 'Otra', 'Otro'))));

  const result = await importFile(
    latin1(
      fileText(
        line('45640', 'Los Ñandúes', 'Tlajomulco de Zúñiga'),
        line('45640', 'Ángeles', 'San Pedro Tlaquepaque'),
        line('45640', 'Ángeles', 'Tlajomulco de Zúñiga'),
        line('44100', ' Guadalajara  Centro ', 'Guadalajara'),
        '||||||||||||||',
        '',
      ),
    ),
  );

  expect(result).toEqual({
    code: 0,
    stdout: `2 postal codes with 3 neighborhoods were imported from ${file}\n`,
    stderr: '',
  });
  expect((await storedCodes()).map(({ code }) => code)).toEqual(['44100', '45640']);
  expect(await findPostalCode(queries, '44100')).toEqual({
    code: '44100',
    municipalities: ['Guadalajara'],
    neighborhoods: ['Guadalajara Centro'],
  });
  expect(await findPostalCode(queries, '45640')).toEqual({
    code: '45640',
    municipalities: ['San Pedro Tlaquepaque', 'Tlajomulco de Zúñiga'],
    neighborhoods: ['Ángeles', 'Los Ñandúes'],
  });
});

test('a file that an editor stored as UTF-8 with other line ends is read too', async () => {
  const result = await importFile(
    `\uFEFF${fileText(line('01000', 'San Ángel', 'Álvaro Obregón')).replaceAll('\r\n', '\n')}`,
  );

  expect(result).toMatchObject({ code: 0, stderr: '' });
  expect(await findPostalCode(queries, '01000')).toMatchObject({
    municipalities: ['Álvaro Obregón'],
    neighborhoods: ['San Ángel'],
  });
});

test('a file of more codes than one statement inserts is stored whole', async () => {
  const lines = numbers(2_500).map((number) => line(String(10_000 + number), `Colonia ${number}`, 'Guadalajara'));

  const result = await importFile(latin1(fileText(...lines)));

  expect(result.stdout).toBe(`2500 postal codes with 2500 neighborhoods were imported from ${file}\n`);
  expect(await storedCodes()).toHaveLength(2_500);
});

test('a wrong file is refused with the numbers of its rows, and changes nothing', async () => {
  await importFile(latin1(fileText(line('44100', 'Artesanos', 'Guadalajara'))));
  const before = await storedCodes();
  const valid = line('01000', 'San Ángel', 'Álvaro Obregón');

  const results = [
    await importFile('id,price,image\ntaza,10,/taza.svg\n'),
    await importFile(''),
    await importFile(fileText()),
    await importFile(fileText(valid, line('1000', 'San Ángel', 'Álvaro Obregón'), `${valid}|`, line('01010', '', 'X'))),
    await importFile(fileText(...numbers(22).map(() => 'cut off'))),
    await admin(['postal-codes', '--file', 'absent.txt']),
    await admin(['postal-codes']),
  ];

  const refused = `admin: ${file} was refused, and nothing changed:\n`;
  const cutOff = numbers(20).map((number) => `  - row ${number + 3}, 1 columns in place of 15\n`);
  const noColumns = `${refused}  - no row has the columns d_codigo, D_mnpio, d_asenta\n`;
  const cells = [
    '  - row 4, d_codigo: "1000" is not valid\n',
    '  - row 5, 16 columns in place of 15\n',
    '  - row 6, d_asenta: "" is not valid\n',
  ];
  expect(results.map(({ code, stderr }) => [code, stderr])).toEqual([
    [1, noColumns],
    [1, noColumns],
    [1, `${refused}  - the file has no postal code\n`],
    [1, refused + cells.join('')],
    [1, `${refused}${cutOff.join('')}  - 2 more\n`],
    [1, 'admin: the file absent.txt does not exist\n'],
    [2, 'admin: --file FILE is missing\n'],
  ]);
  expect(await storedCodes()).toEqual(before);
});
