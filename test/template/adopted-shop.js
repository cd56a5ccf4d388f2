// Adapts a clone of the last commit as docs/adapting.md describes, and runs check and tests in it. A seed draws the shop.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash, randomInt } from 'node:crypto';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { linkPackages } from '../support/link-packages.js';

const USAGE = `node test/template/adopted-shop.js [--seed N] [--dry-run] [-- arguments of npm test]
  --seed N    draws the shop. Default: a random one, which is printed
  --dry-run   prints the shop, and runs nothing`;

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Each row is one thing that adopters choose. The second address and the second phone are those of the tests' customer. */
const CHOICES = {
  preset: ['full', 'small', 'small', 'small'],
  flows: ['hosted', 'card', 'hosted,card'],
  locales: ['es-MX', 'es-MX', 'es-MX,en'],
  brand: [
    { name: 'Casa Jacaranda', prefix: 'CJ', color: '#4f2a86', phone: '33 1234 5678' },
    { name: 'Barro & Fuego d’Oaxaca', prefix: 'BF', color: '#7a3b12', phone: '951 555 0101' },
    { name: 'Ñandú', prefix: 'ND', color: '#0b5d57', phone: '81 8000 0000' },
  ],
  address: [
    'Av. Vallarta 1200, Col. Americana, 44160 Guadalajara, Jal.',
    'Calle Macedonio Alcalá 507, Int. 4-B, Centro, 68000 Oaxaca de Juárez, Oax.',
    'Calle 60 45, 97000 Mérida, Yuc.',
  ],
  shipping: ['sample', 'dear', 'zones', 'weight'],
  pickup: ['sample', 'none', 'own'],
  texts: ['sample', 'own'],
  content: ['sample', 'own', 'more'],
  catalog: ['sample', 'own', 'none'],
  columns: ['none', 'loyalty-number', 'delivery-date', 'tables'],
};
/** Rooms that a small shop restores, and that a full one removes. No other room needs them. */
const RESTORED = [
  'refunds',
  'invoices',
  'product-editor',
  'discounts',
  'order-export',
  'shop-settings',
  'merchant-orders',
];
const REMOVED = ['discounts', 'invoices', 'second-factor', 'sales', 'reminders', 'closing', 'postal-codes'];

const options = process.argv.slice(2);
const end = options.indexOf('--');
const own = end < 0 ? options : options.slice(0, end);
const testArguments = end < 0 ? [] : options.slice(end + 1);
const seed = own.includes('--seed') ? Number(own[own.indexOf('--seed') + 1]) : randomInt(1_000_000);

function main() {
  const shop = drawShop(seed);
  console.log(`Adopted shop of the seed ${seed}: ${JSON.stringify(shop)}`);
  if (own.includes('--dry-run')) return;
  const folder = mkdtempSync(join(tmpdir(), 'tianguis-adopted-'));
  try {
    cloneInto(folder);
    adapt(folder, shop);
    process.exitCode = runAll(folder);
    if (process.exitCode !== 0) console.log(`Repeat it: node test/template/adopted-shop.js --seed ${seed}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function drawShop(number) {
  const indexOf = (name, length) => createHash('sha256').update(`${number} ${name}`).digest().readUInt32BE() % length;
  const draw = ([name, values]) => [name, values[indexOf(name, values.length)]];
  const shop = Object.fromEntries(Object.entries(CHOICES).map(draw));
  const rooms = shop.preset === 'small' ? RESTORED : REMOVED;
  return { ...shop, rooms: rooms.filter((room) => indexOf(room, rooms.length) === 0) };
}

function cloneInto(folder) {
  const run = runner(folder);
  execFileSync('git', ['clone', '--quiet', root, folder]);
  linkPackages(folder);
  run('git', 'config', 'user.name', 'A');
  run('git', 'config', 'user.email', 'a@shop.example');
}

function adapt(folder, shop) {
  const run = runner(folder);
  const { brand, preset, flows, locales, rooms } = shop;
  const merchant = ['--address', shop.address, '--phone', brand.phone, '--email', 'ventas@jacaranda.com.mx'];
  const names = ['--name', brand.name, '--color', brand.color, '--order-prefix', brand.prefix];
  const without = preset === 'full' ? ['--without', ['template', ...rooms].join()] : [];
  const parts = ['--preset', preset, ...without, '--flows', flows, '--locales', locales];
  run('npm', 'run', '--silent', 'setup', '--', '--yes', ...parts, ...names, ...merchant);
  commit(run, 'my shop');
  if (preset === 'small' && rooms.length > 0) run('npm', 'run', '--silent', 'features', '--', 'restore', ...rooms);
  changeShipping(folder, shop);
  changeTexts(folder, shop);
  changePages(folder, shop);
  changeCatalog(folder, shop);
  addColumns(folder, shop);
  run('npm', 'run', '--silent', 'format');
  commit(run, 'my values');
}

/** Runs a command in the folder. Throws if it fails. */
function runner(folder) {
  return (command, ...args) => {
    const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, encoding: 'utf8', maxBuffer: 1e8 });
    if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}${stderr}`);
  };
}

function commit(run, message) {
  run('git', 'add', '--all');
  run('git', 'commit', '--quiet', '--allow-empty', '--message', message);
}

/** Replaces a text that the file has once. */
function replace(folder, path, from, to) {
  const parts = readFileSync(join(folder, path), 'utf8').split(from);
  if (parts.length !== 2) throw new Error(`${path} has ${parts.length - 1} times: ${from}`);
  writeFileSync(join(folder, path), parts.join(to));
}

const TABLE = 'src/shop/rules/default-table.ts';
const STEP = 'steps: [{ upTo: null, price: centavos(99_00) }],';

function changeShipping(folder, { shipping, pickup }) {
  const change = (from, to) => replace(folder, TABLE, from, to);
  if (pickup === 'none') change('pickup: true', 'pickup: false');
  if (shipping === 'dear') {
    change(STEP, 'steps: [{ upTo: null, price: centavos(320_00) }],');
    change('freeFrom: centavos(1_500_00)', 'freeFrom: null');
  }
  if (shipping === 'weight') {
    change("by: 'total'", "by: 'weight'");
    change(STEP, 'steps: [{ upTo: 5_000, price: centavos(150_00) }, { upTo: null, price: centavos(420_00) }],');
  }
  if (shipping === 'zones') {
    const delivery = "{ by: 'total', steps: [{ upTo: null, price: centavos(45_00) }], freeFrom: null, days: null }";
    const zone = `{ name: 'Oaxaca', states: ['OAX'], postalCodes: ['68'], delivery: ${delivery} }`;
    change('  zones: [', `  zones: [${zone},`);
    change('states: STATE_CODES', "states: STATE_CODES.filter((state) => state !== 'OAX' && state !== 'ROO')");
    change('  ],\n};', "    { name: 'Quintana Roo', states: ['ROO'], postalCodes: [], delivery: null },\n  ],\n};");
  }
}

function changeTexts(folder, { texts, pickup }) {
  const own = [
    ...(pickup === 'own'
      ? ["'shipping.pickup.label': 'Recoger en el taller'", "'shipping.pickup.hint': 'En el taller, de 10 a 18 h.'"]
      : []),
    ...(texts === 'own' ? ["'titles.cart': 'Tu bolsa'", "'site.shop': 'Taller'"] : []),
  ];
  if (own.length > 0) replace(folder, 'src/locales/own-texts.ts', '= {};', `= { 'es-MX': { ${own.join()} } };`);
  if (texts === 'own')
    replaceAll(folder, 'src/locales/brand.ts', "hours: ''", "hours: 'Martes a domingo, de 10 a 18 h'");
}

function replaceAll(folder, path, from, to) {
  writeFileSync(join(folder, path), readFileSync(join(folder, path), 'utf8').replaceAll(from, to));
}

function changePages(folder, { content }) {
  if (content === 'sample') return;
  for (const locale of readdirSync(join(folder, 'content')))
    for (const page of readdirSync(join(folder, 'content', locale)))
      writeFileSync(join(folder, 'content', locale, page), `# Página ${page}\n\n{{merchant.email}}\n`);
  const about = '---\norder: 1\nheader: true\n---\n# Quiénes somos\n\nVendemos desde Oaxaca.\n';
  if (content === 'more') writeFileSync(join(folder, 'content/es-MX/about.md'), about);
}

const PRODUCTS = `id,price,stock,image,category_es_mx,name_es_mx,description_es_mx,image_alt_es_mx
jabon-avena,45.50,20,/products/jabon.svg,Jabones,Jabón de avena,"Suave, sin perfume. 100 g.",Una pastilla de jabón
vela-soya,189,,/products/jabon.svg,Velas,Vela de soya,Arde cuarenta horas.,Una vela encendida en un vaso
`;

function changeCatalog(folder, { catalog }) {
  if (catalog === 'sample') return;
  for (const picture of readdirSync(join(folder, 'public/products'))) rmSync(join(folder, 'public/products', picture));
  rmSync(join(folder, 'sample/products.csv'));
  if (catalog === 'none') return;
  copyFileSync(join(folder, 'public/logo.svg'), join(folder, 'public/products/jabon.svg'));
  writeFileSync(join(folder, 'sample/products.csv'), PRODUCTS);
}

const OWN_TABLES = `{
  '0001-own': {
    async up(db) {
      await db.schema.createTable('wishes').addColumn('id', 'text', (column) => column.primaryKey()).execute();
      for (const table of ['orders', 'order_lines', 'products', 'carts', 'cart_lines', 'attempts', 'refunds', 'fulfillments', 'outbox', 'order_events'])
        await db.schema.alterTable(table).addColumn('own_note', 'text', (column) => column.notNull().defaultTo('')).execute();
    },
  },
};`;

function addColumns(folder, { columns }) {
  if (['loyalty-number', 'delivery-date'].includes(columns))
    runner(folder)('bash', '-c', `git apply docs/examples/${columns}*.diff`);
  if (columns === 'tables') replace(folder, 'src/tables/own-migrations.ts', '= {};', `= ${OWN_TABLES}`);
}

/** Returns the exit code. */
function runAll(folder) {
  for (const [script, ...args] of [['check'], ['test', '--', ...testArguments]]) {
    const { status } = spawnSync('npm', ['run', '--silent', script, ...args], { cwd: folder, stdio: 'inherit' });
    if (status !== 0) return status ?? 1;
  }
  return 0;
}

if (own.includes('--help') || !Number.isSafeInteger(seed)) {
  console.log(USAGE);
  process.exitCode = own.includes('--help') ? 0 : 1;
} else main();
