/** A shop of keyboards, as `npm run setup` makes it from the sample shop. */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { brand } from '../../../src/locales/brand.js';
import { projectRoot as root } from '../../../src/project-root.js';
import { copyBuild } from '../../../test/support/built-program.js';
import { until } from '../../../test/support/crowd.js';
import { Customer, contact } from '../../../test/support/customer.js';
import { mailFiles } from '../../../test/support/mailbox.js';
import { freePort, Program } from '../../../test/support/programs.js';
import { withAnswers, withBrand, withColor } from '../files.js';

const ANSWERS = {
  name: 'Teclas y Más',
  color: '#0b6e99',
  legalName: 'Teclas y Más, S.A. de C.V.',
  address: 'Calle 1, Puebla',
  phone: '222 123 4567',
  whatsapp: '222 123 4567',
  email: 'hola@teclas.mx',
  orderPrefix: 'TM',
};
const SAMPLE_WORDS =
  /tianguis|artesan|hecho a mano|by hand|handmade|middlemen|intermediarios|\bcrafts?\b|garland|market today|puesto\b|hamaca|hammock|\bTG-/gi;
const CATALOG = `id,price,image,name_es_mx,image_alt_es_mx,category_es_mx
teclado-60,1899.00,/products/teclado.svg,Teclado mecánico,Teclado negro,Teclados
`;

let copy: ReturnType<typeof copyBuild>;
let shop: Program;
let url: string;
let simulatorUrl: string;

beforeAll(async () => {
  const sample = { ...brand, name: 'Tianguis' };
  copy = copyBuild({ 'src/locales/brand.ts': (source) => withBrand(source, withAnswers(sample, ANSWERS)) });
  const [pictures, catalog] = [join(copy.home, 'public'), join(copy.home, 'sample/products.csv')];
  for (const link of [pictures, catalog]) rmSync(link);
  cpSync(join(root, 'public'), pictures, { recursive: true });
  const stylesheet = join(pictures, 'shop.css');
  writeFileSync(stylesheet, withColor(readFileSync(stylesheet, 'utf8'), ANSWERS.color));
  cpSync(join(pictures, 'logo.svg'), join(pictures, 'products/teclado.svg'));
  writeFileSync(catalog, CATALOG);
  const [port, simulatorPort] = [await freePort(), await freePort()];
  url = `http://localhost:${port}`;
  simulatorUrl = `http://localhost:${simulatorPort}`;
  const folder = join(copy.home, 'run');
  mkdirSync(folder);
  shop = new Program({
    name: 'shop',
    script: join(copy.home, 'dist/tools/dev/start-shop.js'),
    folder,
    env: { PORT: String(port), SIMULATOR_PORT: String(simulatorPort), MERCHANT_EMAIL: ANSWERS.email },
    ready: { url: `${url}/healthz` },
  });
  await shop.start();
});

afterAll(async () => {
  await shop.kill();
  copy[Symbol.dispose]();
});

test('no page, mail, banner or hosted page of a shop of keyboards has a word of the sample shop', async () => {
  const texts = new Map<string, string>([['banner', shop.log()]]);
  for (const language of ['es-MX', 'en']) {
    const customer = new Customer({ url });
    const visit = async (path: string) => {
      const { text } = await customer.get(path);
      texts.set(`${language} ${path}`, text);
    };
    await customer.post('/language', { lang: language, back: '/' });
    const { text: home } = await customer.get('/');
    const linked = [...home.matchAll(/class="foot-link" href="(\/[^"]*)"/g)].map(([, href = '']) => href);
    for (const path of ['/', '/products/teclado-mecanico', '/cart', '/nowhere', '/admin/sign-in', ...linked])
      await visit(path);
    for (const page of ['privacy', 'terms', 'shipping', 'contact']) await visit(`/pages/${page}`);
    await customer.add({ product_id: 'teclado-60' });
    for (const path of ['/cart', '/checkout', '/checkout/card']) await visit(path);
    const { headers } = await customer.payHosted(contact);
    const page = new URL(headers['location'] ?? '');
    expect(page.origin).toBe(simulatorUrl);
    texts.set(`${language} hosted page`, await (await fetch(page)).text());
    const card = {
      card_number: '4000000000000077',
      cardholder_name: 'EVA RUIZ',
      expiry: '12/39',
      cvv: '123',
    };
    const paid = await fetch(page, { method: 'POST', body: new URLSearchParams(card), redirect: 'manual' });
    const back = new URL(paid.headers.get('location') ?? '');
    const order = await customer.get(back.pathname + back.search);
    await visit(order.headers['location'] ?? '');
  }
  const mails = join(copy.home, 'run/shop/data/mail');
  await until(() => mailFiles(mails).filter((file) => file.includes('receipt')).length >= 2);
  for (const file of mailFiles(mails)) texts.set(`mail ${file}`, readFileSync(file, 'utf8'));

  const found = [...texts].map(([name, text]) => [name, [...text.matchAll(SAMPLE_WORDS)].map(String)]);

  expect(found.filter(([, words]) => words?.length)).toEqual([]);
  expect(texts.get('en /')).toContain('Teclas y Más');
  expect(texts.get('es-MX hosted page')).toContain(ANSWERS.color);
});
