import { centavos } from '@tianguis/payments/rules';
import type { Product } from '../../src/shop/rules/product.js';
import { openDatabase } from '../../src/tables/database.js';
import { writeProducts } from '../../src/tables/product-changes.js';

const TEXT =
  'Torneada y pintada a mano en Puebla, con el azul cobalto de siempre. Cabe un café de olla generoso (350 ml).';
const category = { id: 'ceramica', name: { 'es-MX': 'Cerámica' } };

/** Twelve products at $289.00 that require no shipping, so that the total is the same in every shop. */
const PRODUCTS = Array.from(
  { length: 12 },
  (_, index): Product => ({
    id: `bench-${index}`,
    slug: `bench-${index}`,
    category,
    price: centavos(28_900),
    priceBefore: null,
    weight: null,
    taxRate: '16',
    stock: null,
    requiresShipping: false,
    visible: true,
    featured: false,
    image: '/logo.svg',
    claveProdServ: '',
    claveUnidad: '',
    variantOf: null,
    variantAttribute: null,
    name: { 'es-MX': `Taza de talavera ${index}` },
    description: { 'es-MX': TEXT },
    imageAlt: { 'es-MX': 'Taza blanca con flores azules' },
  }),
);

/** Runs the migrations and inserts the products. */
export async function fillCatalog(databaseUrl: string): Promise<void> {
  await using db = openDatabase(databaseUrl, () => {});
  await db.migrate();
  const rows = PRODUCTS.map((product, position) => ({ product, position }));
  await db.transaction((queries) => writeProducts(queries, rows, Date.now()));
}
