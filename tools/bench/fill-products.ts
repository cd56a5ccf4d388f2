import { openDatabase } from '../../src/db/database.js';
import { writeProducts } from '../../src/db/product-changes.js';
import { centavos } from '../../src/domain/money.js';
import type { Product } from '../../src/domain/product.js';

const NAMES = ['Taza', 'Rebozo', 'Jarra', 'Hamaca', 'Molcajete', 'Huipil', 'Canasta', 'Guitarra'];
const CATEGORIES = ['Barro', 'Textiles', 'Hogar', 'Cocina', 'Fiesta', 'Despensa'];
const DESCRIPTION =
  'Hecho a mano en un taller de Oaxaca, con materiales de la región y mucha paciencia. '.repeat(3);

/** Runs the migrations and inserts visible products. */
export async function fillProducts(databaseUrl: string, count: number): Promise<void> {
  await using db = openDatabase(databaseUrl, () => {});
  await db.migrate();
  const products = Array.from({ length: count }, (_, index) => ({
    product: productAt(index),
    position: index + 1,
  }));
  await db.transaction((queries) => writeProducts(queries, products, Date.now()));
}

function productAt(index: number): Product {
  const both = (text: string) => ({ 'es-MX': text, en: text });
  const category = CATEGORIES[index % CATEGORIES.length] ?? '';
  return {
    id: `product-${index}`,
    slug: `product-${index}`,
    category: { id: category.toLowerCase(), name: both(category) },
    price: centavos(10_000 + index),
    taxRate: '16',
    stock: null,
    requiresShipping: true,
    visible: true,
    image: '/products/taza-talavera.svg',
    claveProdServ: '',
    claveUnidad: '',
    name: both(`${NAMES[index % NAMES.length]} ${index}`),
    description: both(DESCRIPTION),
    imageAlt: both('Una pieza de artesanía'),
  };
}
