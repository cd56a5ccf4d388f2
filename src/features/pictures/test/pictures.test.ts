import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { crc32 } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { deleteExpiredRows } from '@tianguis/payments/database';
import sharp, { type Sharp } from 'sharp';
import { addUser, openBackOffice } from '../../../../test/support/admin.js';
import { numbers, until } from '../../../../test/support/crowd.js';
import { Customer } from '../../../../test/support/customer.js';
import { inEnglish } from '../../../../test/support/locales.js';
import { openFileShop } from '../../../../test/support/shared-shop.js';
import { importVariants, ROWS } from '../../../../test/support/variants.js';
import { importProducts } from '../../../catalog/import-products.js';
import { exportProducts } from '../../../catalog/product-file.js';
import { EXPIRING_FEATURE_ROWS } from '../../../tables/expiring-shop-rows.js';
import { findPicturePaths } from '../../../tables/pictures.js';
import { findProductEvents, findStoredProduct } from '../../../tables/product-changes.js';

const shop = await openFileShop();
const { queries } = shop;
const merchant = await openBackOffice(shop);
const DAY_MS = 24 * 60 * 60 * 1000;
const pathOf = (id: string) => `/admin/products/${id}/pictures`;

/** Random pixels, so that each picture has another hash. */
const pixels = (width: number, height: number) =>
  sharp({
    create: { width, height, channels: 3, background: '#c63', noise: { type: 'gaussian', mean: 128, sigma: 30 } },
  });

const flat = (width: number, height: number, channels: 3 | 4 = 3) =>
  sharp({ create: { width, height, channels, background: { r: 9, g: 9, b: 9, alpha: 0.5 } } });

const blank = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#fff' } })
    .png()
    .toBuffer();

/** A photo as a phone stores it: lying pixels, an orientation, and the place. */
const photo = (picture = pixels(120, 90)) =>
  picture
    .withExif({ IFD0: { Artist: 'Eva Ruiz' }, IFD3: { GPSLatitude: '19/1 25/1 0/1' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();

async function stored(id: string) {
  const found = await findStoredProduct(queries, id);
  if (!found) throw new Error('no product');
  return found;
}

interface Posted {
  readonly file?: Buffer | string;
  readonly fields?: Readonly<Record<string, string>>;
}

/** Posts the form of a picture, by default that of a new second picture, with the version of now. */
async function post(id: string, { file, fields = {} }: Posted, client = merchant) {
  const { version } = await stored(id);
  const all = {
    version,
    place: '1',
    action: 'save',
    image_alt_es_mx: 'Una taza',
    ...inEnglish({ image_alt_en: 'A mug' }),
    ...fields,
  };
  const request = client.agent.post(pathOf(id)).redirects(0);
  for (const [name, value] of Object.entries(all)) request.field(name, String(value));
  const answer =
    file === undefined
      ? await request
      : await request.attach('file', file, { filename: '../../x.svg', contentType: 'image/svg+xml' });
  const { location = '' } = answer.headers;
  return location.endsWith('answer=1') ? client.get(location) : answer;
}

const PART = Buffer.alloc(20 * 1024 * 1024 + 1);

/** Opens a post whose body does not end after these bytes. Its fields come first, as in the form. */
async function openPost(
  { agent }: Customer,
  id: string,
  { bytes = 0, length }: { readonly bytes?: number; readonly length?: number },
) {
  const { version } = await stored(id);
  const { hostname } = new URL(shop.url);
  const cookie = agent.jar
    .getCookies({ domain: hostname, path: '/admin', secure: false, script: false })
    .toValueString();
  const headers = {
    'Content-Type': 'multipart/form-data; boundary=x',
    ...{ Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' },
    ...(length !== undefined && { 'Content-Length': length }),
  };
  const sent = request(shop.url + pathOf(id), { method: 'POST', headers });
  const text = (name: string, value: string) =>
    `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  sent.write(text('place', '1') + text('version', String(version)) + text('image_alt_es_mx', 'Chal'));
  sent.write('--x\r\nContent-Disposition: form-data; name="file"; filename="x.jpg"\r\n\r\n');
  sent.write(PART.subarray(0, bytes + 1));
  const answer = once(sent, 'response').then(([response]) => response as IncomingMessage);
  answer.catch(() => {});
  sent.on('error', () => {});
  return { sent, answer };
}

/** Returns the status of a post whose body never ends. */
const statusOfOpenPost = (id: string, headers: Readonly<Record<string, string>>) =>
  new Promise<number | undefined>((resolve, reject) => {
    const type = { 'Content-Type': 'multipart/form-data; boundary=x' };
    const sent = request(shop.url + pathOf(id), { method: 'POST', headers: { ...type, ...headers } }, (answer) => {
      resolve(answer.statusCode);
      sent.on('error', () => {}).destroy();
    });
    sent.on('error', reject).write('--x\r\n');
  });

const countPictures = async () => (await queries.selectFrom('pictures').select('hash').distinct().execute()).length;

test('an uploaded photo replaces the picture of a product everywhere, without its place, upright, in three sizes', async () => {
  const id = 'taza-talavera';

  const answer = await post(id, { file: await photo(flat(880, 820)), fields: { place: '0' } });

  expect(answer.headers['location']).toBe(`${pathOf(id)}?result=saved`);
  const { image, imageAlt } = (await stored(id)).product;
  expect(image).toMatch(/^\/pictures\/[\da-f]{64}$/);
  expect(imageAlt).toEqual({ 'es-MX': 'Una taza', ...inEnglish({ en: 'A mug' }) });
  const customer = await Customer.withCart(shop, { product_id: id });
  const srcset = `srcset="${image}/400 400w, ${image}/800 800w, ${image}/1600 1600w"`;
  for (const path of ['/', '/products/taza-de-talavera', '/cart']) {
    const { text } = await customer.get(path);
    expect([path, text.includes(`src="${image}"`), text.includes(srcset)]).toEqual([path, true, true]);
  }
  const widths = { '': 820, '/400': 400, '/800': 800, '/1600': 820 };
  for (const [size, width] of Object.entries(widths)) {
    const { headers, body } = await customer.agent.get(image + size).buffer(true);
    const bytes = body as Buffer;
    const metadata = await sharp(bytes).metadata();
    expect([size, metadata.width, Number(metadata.height) > width]).toEqual([size, width, true]);
    expect([metadata.exif, metadata.icc, metadata.orientation]).toEqual([undefined, undefined, undefined]);
    expect(headers).toMatchObject({
      'content-type': size === '' ? 'image/jpeg' : 'image/webp',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
    expect([headers['vary'], headers['set-cookie']]).toEqual([size === '' ? undefined : 'Accept', undefined]);
  }
  const wrong = ['/pictures/..%2f..%2fpackage.json', `${image}/401`, `/pictures/${'a'.repeat(64)}`, '/pictures/x/400'];
  for (const path of wrong) expect([path, (await customer.get(path)).status]).toEqual([path, 404]);
});

test('a browser that shows AVIF gets smaller files, other clients and pictures without AVIF get WebP', async () => {
  const id = 'huipil-istmo';
  await post(id, { file: await photo(pixels(240, 180)), fields: { place: '0' } });
  const { image } = (await stored(id)).product;
  const get = async (path: string, accept: string) => {
    const { headers, body } = await new Customer(shop).agent.get(path).set('Accept', accept).buffer(true);
    const file = String((body as Buffer).subarray(0, 12)).replaceAll(/[^\w]/g, '');
    return { file, type: headers['content-type'], length: Number(headers['content-length']), etag: headers['etag'] };
  };
  const [safari, old] = ['image/webp,image/avif,*/*;q=0.8', 'image/webp,*/*;q=0.8'];

  for (const width of [400, 800, 1600]) {
    const [avif, webp] = [await get(`${image}/${width}`, safari), await get(`${image}/${width}`, old)];
    expect([avif.type, webp.type]).toEqual(['image/avif', 'image/webp']);
    expect([avif.file, webp.file]).toEqual([expect.stringMatching(/ftypavif$/), expect.stringMatching(/^RIFF.*WEBP$/)]);
    expect(avif.length).toBeLessThan(webp.length);
    expect(avif.etag).not.toBe(webp.etag);
  }
  expect((await get(image, safari)).type).toBe('image/jpeg');
  await queries.updateTable('pictures').set({ avif: null }).execute();
  expect(await get(`${image}/400`, safari)).toEqual(await get(`${image}/400`, old));
});

test('a picture whose decoding needs much memory has no large AVIF', async () => {
  const file = await flat(3_200, 3_200).png({ progressive: true }).toBuffer();
  await post('huipil-istmo', { file, fields: { place: '0' } });
  const { image } = (await stored('huipil-istmo')).product;

  const typeOf = async (width: number) =>
    (await new Customer(shop).agent.get(`${image}/${width}`).set('Accept', 'image/avif')).headers['content-type'];
  expect([await typeOf(800), await typeOf(1600)]).toEqual(['image/avif', 'image/webp']);
});

test('clients that ask for a large picture and read nothing need little memory, and others get all of its bytes', async () => {
  const id = 'rebozo-santa-maria';
  await post(id, { file: await photo(), fields: { place: '0' } });
  const { image } = (await stored(id)).product;
  const path = `${image}/1600`;
  const bytes = randomBytes(600_000);
  const large = queries.updateTable('pictures').set({ bytes, avif: null }).where('width', '=', 1600);
  await large.where('hash', '=', image.slice('/pictures/'.length)).execute();
  const other = new Customer(shop);
  const before = process.memoryUsage().arrayBuffers;

  const sockets = Array.from({ length: 20 }, () => {
    const socket = connect(Number(new URL(shop.url).port), '127.0.0.1').pause();
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(10));
    return socket;
  });
  await Promise.all(sockets.map((socket) => once(socket, 'readable')));
  const { headers, body } = await other.agent.get(path).buffer(true);
  const growth = process.memoryUsage().arrayBuffers - before;
  for (const socket of sockets) socket.destroy();
  const again = await other.agent.get(path).set('If-None-Match', headers['etag'] ?? '');

  expect(growth).toBeLessThan(75_000_000);
  expect((body as Buffer).equals(bytes)).toBe(true);
  expect([again.status, (await other.agent.head(path)).headers['content-length']]).toEqual([
    ...[304, headers['content-length']],
  ]);
});

test('further pictures are on the product page in their order, and a picture moves, gets texts and is removed', async () => {
  const id = 'jarra-barro-negro';
  const first = (await stored(id)).product.image;
  await post(id, { file: await pixels(300, 200).png().toBuffer() });
  await post(id, { file: await pixels(300, 200).webp().toBuffer(), fields: { place: '2', image_alt_es_mx: 'Asa' } });
  let visits = 0;
  // Each address has a page of its own in the cache.
  const shown = async () => {
    visits += 1;
    const { text } = await new Customer(shop).get(`/products/jarra-de-barro-negro?at=${visits}`);
    const [, gallery = ''] = /<ul class="slides"(.*?)<\/ul>/s.exec(text) ?? [];
    const [first, ...further] = [...gallery.matchAll(/<img src="([^"]+)"/g)].map(([, src]) => src);
    return { first, further, gallery };
  };
  const before = await shown();

  await post(id, { fields: { place: '1', action: 'earlier' } });
  await post(id, { fields: { place: '0', image_alt_es_mx: 'Jarra nueva' } });
  const moved = await shown();
  await post(id, { fields: { place: '2', action: 'remove' } });
  const removed = await shown();

  expect(before.first).toContain(first);
  expect(before.further).toHaveLength(2);
  expect(before.gallery).toContain('alt="Asa"');
  const { product } = await stored(id);
  expect([product.image, product.imageAlt['es-MX']]).toEqual([before.further[0], 'Jarra nueva']);
  expect(moved).toMatchObject({ first: before.further[0], further: [before.first, before.further[1]] });
  expect(removed.further).toEqual([before.first]);
  const [event] = await findProductEvents(queries, id, 1);
  expect(event).toMatchObject({ by: 'admin', kind: 'changed' });
  expect(Object.keys(event?.detail ?? {})).toEqual(['pictures']);
});

test('a file that is no sound picture is refused at its field, with the typed texts, and changes nothing', async () => {
  const id = 'rebozo-santa-maria';
  const jpeg = await photo();
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  const files: readonly (readonly [Buffer, string])[] = [
    [Buffer.from(svg), 'no es una imagen JPEG, PNG o WebP'],
    [Buffer.concat([Buffer.from(svg), jpeg]), 'no es una imagen JPEG, PNG o WebP'],
    [Buffer.from('%PDF-1.7'), 'no es una imagen JPEG, PNG o WebP'],
    [jpeg.subarray(0, jpeg.length / 2), 'dañada o incompleta'],
    [withSize(await flat(16, 16).png().toBuffer(), 8_200, 6_200), 'más de 50 megapíxeles'],
    [Buffer.alloc(20 * 1024 * 1024 + 1), 'pesa más de 20 MB'],
    [Buffer.alloc(0), 'El archivo está vacío'],
  ];
  const [before, count] = [await stored(id), await countPictures()];

  for (const [file, message] of files) {
    const { status, text } = await post(id, { file, fields: { image_alt_es_mx: 'Chal <b>' } });
    expect([message, status]).toEqual([message, 422]);
    expect(text).toContain(message);
    expect(text).toContain('id="file_1-error"');
    expect(text).toContain('href="#file_1"');
    expect(text).toContain('value="Chal &lt;b&gt;"');
  }
  const wrongText = await post(id, { file: jpeg, fields: { image_alt_es_mx: ' ' } });

  expect([wrongText.status, wrongText.text.includes('id="image_alt_es_mx_1-error"')]).toEqual([422, true]);
  expect([await stored(id), await countPictures()]).toEqual([before, count]);
});

test('an empty file replaces no picture, and its form shows the error at the field after Back and reload', async () => {
  const id = 'rebozo-santa-maria';
  const before = await stored(id);

  const posted = await merchant.agent
    .post(pathOf(id))
    .redirects(0)
    .field({ version: before.version, place: '0', action: 'save', image_alt_es_mx: 'Rebozo' })
    .attach('file', Buffer.alloc(0), 'x.jpg');
  const pages = [await merchant.get(`${pathOf(id)}?answer=1`), await merchant.get(`${pathOf(id)}?answer=1`)];

  expect([posted.status, posted.headers['location']]).toEqual([303, `${pathOf(id)}?answer=1`]);
  for (const { status, text } of pages)
    expect([status, text.includes('id="file_0-error"'), text.includes('value="Rebozo"')]).toEqual([422, true, true]);
  expect((await merchant.get(pathOf(id))).text).not.toContain('file_0-error');
  expect(await stored(id)).toEqual(before);
});

/** Returns the picture with a header that states another size. Its pixels would take seconds to compress. */
function withSize(picture: Buffer, width: number, height: number): Buffer {
  const file = Buffer.from(picture);
  if (file.subarray(8, 12).equals(Buffer.from('WEBP'))) {
    // Below the four highest bits: 14 bits of the height and 14 of the width, each less one.
    const flags = (file.readUInt32LE(21) >>> 28) * 2 ** 28;
    file.writeUInt32LE(flags + (height - 1) * 2 ** 14 + width - 1, 21);
  } else if (file.subarray(1, 4).equals(Buffer.from('PNG'))) {
    file.writeUInt32BE(width, 16);
    file.writeUInt32BE(height, 20);
    file.writeUInt32BE(crc32(file.subarray(12, 29)), 29);
  } else {
    // The marker of a progressive frame, its length, one byte of precision, height and width.
    const frame = file.indexOf(Buffer.from([0xff, 0xc2]));
    file.writeUInt16BE(height, frame + 5);
    file.writeUInt16BE(width, frame + 7);
  }
  return file;
}

/** 16 bits per sample. */
const deep = flat(16, 16, 4).toColourspace('rgb16');

test.each<[string, number, number, Sharp]>([
  ['progressive CMYK JPEG', 4_000, 4_000, flat(16, 16).toColourspace('cmyk').jpeg({ progressive: true })],
  ['deep interlaced PNG with transparency', 2_500, 2_000, deep.png({ progressive: true })],
  ['interlaced PNG', 5_200, 5_000, flat(16, 16).png({ progressive: true })],
  ['PNG with transparency', 7_600, 5_000, flat(16, 16, 4).png()],
  ['PNG', 9_001, 2, flat(16, 16).png()],
  ['WebP', 6_200, 5_000, flat(16, 16).webp({ lossless: true, effort: 0 })],
])(
  'case 181: a %s of %i × %i pixels would need too much memory and is refused',
  async (_what, width, height, small) => {
    const file = withSize(await small.toBuffer(), width, height);

    const { status, text } = await post('rebozo-santa-maria', { file });

    expect([status, text.includes('puede tener menos megapíxeles')]).toEqual([422, true]);
  },
);

test('case 181: a body above 20 MB is refused before it is sent, by its length and without one, with the typed texts', async () => {
  const id = 'molcajete-basalto';
  const megabyte = 1024 * 1024;
  for (const sent of [{ length: 40 * megabyte, bytes: 1_000 }, { bytes: 20 * megabyte }]) {
    const posted = await openPost(merchant, id, sent);
    const { statusCode, headers } = await posted.answer;
    posted.sent.destroy();
    const { status, text } = await merchant.get(headers.location ?? '');

    expect([statusCode, status]).toEqual([303, 422]);
    expect(text).toContain('pesa más de 20 MB');
    expect(text).toContain('value="Chal"');
  }
});

test('case 181: of 25 unfinished uploads of a session two are read, the others must wait with their typed texts, and another session uploads', async () => {
  const id = 'molcajete-basalto';
  const eva = await openBackOffice(shop);
  const before = process.memoryUsage().arrayBuffers;
  const posts = await Promise.all(numbers(25).map(() => openPost(eva, id, { bytes: 19 * 1024 * 1024 })));

  const refused: IncomingMessage[] = [];
  for (const { answer: each } of posts) each.then((response) => refused.push(response)).catch(() => {});
  await until(() => refused.length === 23, { withinMs: 30_000 });
  const growth = process.memoryUsage().arrayBuffers - before;
  const page = await eva.get(`${pathOf(id)}?answer=1`);
  const other = await post(id, { file: await photo() });
  for (const { sent } of posts) sent.destroy();

  expect(new Set(refused.map(({ headers }) => headers.location))).toEqual(new Set([`${pathOf(id)}?answer=1`]));
  expect(page.status).toBe(429);
  for (const part of ['Se están procesando otras imágenes', 'value="Chal"']) expect(page.text).toContain(part);
  expect(other.headers['location']).toBe(`${pathOf(id)}?result=saved`);
  expect(growth).toBeLessThan(100_000_000);
});

test('a user who is disabled while the body is read changes nothing', async () => {
  const id = 'molcajete-basalto';
  await addUser(shop, 'nora', 'manager');
  const nora = await openBackOffice(shop, 'nora');
  const before = await stored(id);
  const posts = await Promise.all(numbers(3).map(() => openPost(nora, id, {})));
  // One must wait, so the two others are being read.
  await Promise.race(posts.map(({ answer }) => answer));
  await queries.updateTable('adminUsers').set({ disabledAt: 1 }).where('name', '=', 'nora').execute();
  for (const { sent } of posts) sent.end('\r\n--x--\r\n');
  const answers = await Promise.all(posts.map(({ answer }) => answer));

  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([303, 403, 403]);
  expect(await stored(id)).toEqual(before);
});

test('a photo of 50 megapixels and 19 MB is accepted', async () => {
  const photo = await blank(8_160, 6_120);
  const file = Buffer.concat([photo, Buffer.alloc(19 * 1024 * 1024 - photo.length)]);

  expect((await post('alebrije-jaguar', { file, fields: { place: '0' } })).status).toBe(303);
});

test('of a JPEG with a program behind its pixels, the pixels are stored only', async () => {
  const id = 'alebrije-jaguar';
  const program = '<script>alert("polyglot")</script>';

  const answer = await post(id, { file: Buffer.concat([await photo(), Buffer.from(program)]), fields: { place: '0' } });

  expect(answer.status).toBe(303);
  for (const { bytes } of await queries.selectFrom('pictures').select('bytes').execute())
    expect(Buffer.from(bytes).includes('polyglot')).toBe(false);
});

test('a body is read after site, user and role were checked, and must be a complete form with one file', async () => {
  const id = 'molcajete-basalto';
  await addUser(shop, 'luz', 'fulfillment');
  const luz = await openBackOffice(shop, 'luz');
  const file = await photo();
  const before = await stored(id);
  const sendBroken = (part: string) =>
    merchant.agent
      .post(pathOf(id))
      .set('Content-Type', 'multipart/form-data; boundary=x')
      .send(`--x\r\nContent-Disposition: form-data; name="${part}`);

  const answers = [
    await post(id, { file }, luz),
    await post(id, { file }, new Customer(shop)),
    await merchant.agent.post(pathOf(id)).set('Sec-Fetch-Site', 'cross-site').attach('file', file, 'x.jpg'),
    await merchant.post(pathOf(id), { place: '1', action: 'save' }),
    await merchant.agent.post(`/admin/products/${id}`).attach('file', file, 'x.jpg'),
    await sendBroken('place"\r\n\r\n1'),
    await sendBroken('file"; filename="x.jpg"\r\n\r\n1'),
    await post(id, { file, fields: { place: '7' } }),
    await post(id, { file, fields: { place: '1', image_alt_es_mx: '4242 4242 4242 4242' } }),
  ];

  expect(answers.map(({ status }) => status)).toEqual([403, 303, 403, 415, 415, 400, 400, 400, 422]);
  expect(answers[1]?.headers['location']).toContain('/admin/sign-in');
  expect(await statusOfOpenPost(id, {})).toBe(303);
  expect(await statusOfOpenPost(id, { 'Sec-Fetch-Site': 'cross-site' })).toBe(403);
  expect(await stored(id)).toEqual(before);
});

test('a form of an older version adds no picture and shows the typed texts', async () => {
  const id = 'huipil-istmo';
  const { version } = await stored(id);
  const old = { version: String(version), image_alt_es_mx: 'Tejido' };
  await post(id, { file: await photo() });
  const before = await stored(id);

  const { status, text } = await post(id, { file: await photo(), fields: old });

  expect(status).toBe(409);
  expect(text).toContain('value="Tejido"');
  expect(await stored(id)).toEqual(before);
});

test('a picture that no product has is deleted after a day, others stay', async () => {
  const id = 'papel-picado';
  await post(id, { file: await photo(), fields: { place: '0' } });
  const { image } = (await stored(id)).product;
  await post(id, { file: await photo(), fields: { place: '0' } });
  const current = (await stored(id)).product.image;
  const status = async (path: string) => (await new Customer(shop).get(path)).status;
  const replaced = await status(image);

  await deleteExpiredRows(shop.checkout.db, EXPIRING_FEATURE_ROWS, shop.clock.now() + DAY_MS);

  expect([replaced, await status(image), await status(current)]).toEqual([200, 404, 200]);
});

test('an export and its import keep uploaded pictures, and an address without a picture is refused', async () => {
  const id = 'vainilla-papantla';
  await post(id, { file: await photo(), fields: { place: '0' } });
  await post(id, { file: await photo(), fields: { place: '1' } });
  const page = async () => (await merchant.get(pathOf(id))).text.match(/src="\/pictures\/[\da-f]+"/g);
  const [before, shown] = [await stored(id), await page()];
  const uploaded = new Set(await findPicturePaths(queries));
  const hasPicture = (path: string) => uploaded.has(path) || !path.startsWith('/pictures/');
  const options = { locale: 'es-MX', hasPicture, at: 5, by: 'test' } as const;
  const file = await exportProducts(queries);
  const { image } = before.product;
  const importOf = (text: string) => importProducts(shop.checkout.db, Buffer.from(text), options);

  const same = await importOf(file);
  const priced = await importOf(`id,price,image,name_es_mx,category_es_mx,image_alt_es_mx\n${id},7,${image},V,C,I`);
  const wrong = await importOf(file.replaceAll(image, `/pictures/${'a'.repeat(64)}`));

  expect(file).toContain(`,${image},`);
  expect(same).toMatchObject({ ok: true, changes: [] });
  expect(priced).toMatchObject({ ok: true, changes: [{ product: { id, price: 700, image } }] });
  expect([shown?.length, await page()]).toEqual([2, shown]);
  expect(wrong).toMatchObject({ ok: false, problems: [{ column: 'image', code: 'no_such_image' }] });
});

test('a new first picture of a main product is that of each variant without a picture of its own', async () => {
  const rows = ROWS.map((row) => (row.id === 'playera-verde' ? { ...row, image: '/favicon.svg' } : row));
  await importVariants(shop, rows);

  const answer = await post('playera-roja', {
    file: await photo(),
    fields: { place: '0', image_alt_es_mx: 'De frente' },
  });

  const { image, imageAlt } = (await stored('playera-roja')).product;
  const others = await Promise.all(['playera-azul', 'playera-verde'].map(async (id) => (await stored(id)).product));
  expect([answer.status, imageAlt['es-MX']]).toEqual([303, 'De frente']);
  expect(others).toMatchObject([
    { image, imageAlt },
    { image: '/favicon.svg', imageAlt: { 'es-MX': 'Una playera' } },
  ]);
  const [event] = await findProductEvents(queries, 'playera-azul', 1);
  expect(event).toMatchObject({ by: 'admin', kind: 'changed', detail: { image: ['/logo.svg', image] } });
  expect((await merchant.get(pathOf('playera-roja'))).text).toContain('<h1>Imágenes de Playera</h1>');
});
