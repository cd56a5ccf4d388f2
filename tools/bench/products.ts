/** Measures a catalog of 10,000 products: its import, and pages of customers and of the back office. */
import { importProducts } from '../../src/catalog/import-products.js';
import { TEXT_COLUMNS } from '../../src/catalog/product-cells.js';
import { LOCALES } from '../../src/shop/rules/locales.js';
import { openDatabase } from '../../src/tables/database.js';
import { postForm } from './load.js';
import { residentMegabytes, SECRET, startShop } from './programs.js';

const COUNT = 10_000;
/** With `first`, a product with variants, and searches for a word and for one with a typing error. */
const CATALOG_PAGES = [
  ...['/', '/?page=200', '/?category=textil', '/?sort=price_asc', '/?sort=newest', '/?available=1&min=100&max=500'],
  ...['/?q=talavera', '/?q=talabera', '/products/first', '/sitemap.xml'],
];
const ADMIN_PAGES = ['/admin/products', '/admin/products?q=talavera'];
const REQUESTS_PER_SECOND = 20;
/** Unmeasured requests per page, in which Node.js compiles its code. */
const WARM_UP = 10;

/** Returns the durations in milliseconds, and the memory of the shop in MB after the requests. */
export async function measureProducts(seconds: number, server?: string) {
  let importMs = Number.NaN;
  await using shop = await startShop(server, {}, async (databaseUrl) => {
    importMs = await importCatalog(databaseUrl);
  });
  // Pages for a request with a cookie are not cached.
  const customer = await postForm(`${shop.url}/cart/items`, 'product_id=bench-0&quantity=1');
  const admin = await postForm(`${shop.url}/admin/sign-in`, `name=admin&password=${SECRET}`);
  const times: Record<string, number[]> = {};
  for (const path of [...CATALOG_PAGES, ...ADMIN_PAGES]) {
    const headers = { cookie: ADMIN_PAGES.includes(path) ? admin : customer };
    // A page of a removed room is absent.
    if ((await fetch(shop.url + path, { headers, redirect: 'manual' })).status === 404) continue;
    const durations: number[] = [];
    while (durations.length < WARM_UP + seconds * REQUESTS_PER_SECOND) {
      const startedAt = performance.now();
      const answer = await fetch(shop.url + path, { headers, redirect: 'manual' });
      // The shop sends complete pages. To decompress the 5 MB of the sitemap is work of the client.
      durations.push(performance.now() - startedAt);
      await answer.arrayBuffer();
      if (answer.status !== 200) throw new Error(`${path}: answered ${answer.status}`);
    }
    times[path] = durations.slice(WARM_UP);
  }
  return { importMs, times, megabytes: await residentMegabytes(shop.url) };
}

/** Imports the products. Returns the duration in milliseconds. */
async function importCatalog(databaseUrl: string): Promise<number> {
  await using db = openDatabase(databaseUrl, () => {});
  const file = Buffer.from(productsCsv());
  const startedAt = performance.now();
  const options = { locale: LOCALES[0], hasPicture: () => true, at: Date.now(), by: 'bench' };
  const result = await importProducts(db, file, options);
  if (!result.ok) throw new Error(result.problems.join('\n'));
  return performance.now() - startedAt;
}

const NOUNS = ['Taza', 'Jarra', 'Rebozo', 'Molcajete', 'Huipil', 'Hamaca', 'Canasta', 'Guitarra', 'Collar', 'Florero'];
const MATERIALS = ['talavera', 'barro', 'algodón', 'lana', 'cobre', 'palma', 'cedro', 'basalto', 'plata', 'cuero'];
const CATEGORIES = ['Cerámica', 'Textil', 'Madera', 'Metal', 'Cocina', 'Música', 'Joyería', 'Fiesta', 'Hogar'];
/** The first three of nine products are a group. */
const VARIANTS = ['azul', 'verde', 'rojo'];
/** An empty one is unlimited. */
const STOCKS = ['', '', '0', '1', '5', '12', '30', '60'];
const SYLLABLES = Array.from('bcdfglmnprst', (consonant) => Array.from('aeiou', (vowel) => consonant + vowel)).flat();

/** Returns numbers from 0 to below a limit, the same ones each time. */
function randomNumbers() {
  let seed = 7;
  return (limit: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % limit;
  };
}

/** Returns the same file each time. A third of the products are in groups of three, some are sold out. */
function productsCsv(): string {
  const random = randomNumbers();
  const pick = (values: readonly string[]) => values[random(values.length)] ?? '';
  const word = () => Array.from({ length: 2 + random(3) }, () => pick(SYLLABLES)).join('');
  const columns = ['id', 'slug', 'price', 'stock', 'image', 'variant_of'];
  const rows = [[...columns, ...TEXT_COLUMNS.map(({ column }) => column)]];
  let name = '';
  for (let index = 0; index < COUNT; index += 1) {
    const [place, label] = [index % 9, VARIANTS[index % 9] ?? ''];
    const isVariant = place > 0 && label !== '';
    if (!isVariant) name = `${pick(NOUNS)} de ${pick(MATERIALS)} ${word()}`;
    const description = `Hecha a mano por el taller ${word()}. Cada pieza es distinta y mide unos ${random(60)} cm. ${word()}`;
    const category = CATEGORIES[Math.floor(index / 9) % CATEGORIES.length] ?? '';
    const texts = { name, description, image_alt: name, category, variant: label };
    rows.push([
      ...[`product-${index}`, index === 0 ? 'first' : '', `${20 + random(4_000)}.50`, pick(STOCKS), '/logo.svg'],
      ...[isVariant ? `product-${index - place}` : '', ...TEXT_COLUMNS.map((column) => texts[column.name])],
    ]);
  }
  return rows.map((row) => row.join(',')).join('\n');
}
