/** Builds the files of the production image from a changed clone without Docker, and starts the shop from them. */
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openDatabase } from '../../src/tables/database.js';
import { linkPackages } from '../support/link-packages.js';
import { PRODUCTION } from '../support/production-settings.js';
import { freePort, Program } from '../support/programs.js';
import { copyProject, run } from '../support/project-copy.js';
import { storeSettings } from '../support/shop-settings.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** The tool may be deleted. */
const hasDoctor = existsSync(join(root, 'tools/doctor'));

const settings = { ...PRODUCTION, HOST: '127.0.0.1' };

const MERCHANT =
  "merchant: { legalName: 'Muebles Ruiz, S.A.', address: 'Hidalgo 5, Tequisquiapan', phone: '414 123 4567', email: 'hola@ruiz.mx', rfc: 'MRU010101AB1' }";

let work: string;
let image: string;

beforeAll(() => {
  work = mkdtempSync(join(tmpdir(), 'tianguis-image-'));
  image = buildImage();
});

afterAll(() => rmSync(work, { recursive: true }));

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** Returns the paths that .dockerignore sends. */
function sentPaths(): readonly string[] {
  return (read('.dockerignore').match(/^!.+$/gm) ?? []).map((line) => line.slice(1));
}

/** Returns the paths that the last stage of the Dockerfile copies from the build. */
function imagePaths(): readonly string[] {
  const copies = read('Dockerfile').matchAll(/^COPY --from=build \/srv\/tianguis\/(\S+) \S+$/gm);
  return [...copies].map(([, path = '']) => path);
}

/** Returns the folders that `npm ci --omit=dev` installs, by the lockfile. */
function productionPackages(): readonly string[] {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    readonly packages: Readonly<Record<string, { readonly dev?: boolean }>>;
  };
  return Object.entries(packages)
    .filter(([path, { dev }]) => /^node_modules\/(?:@[^/]+\/)?[^/]+$/.test(path) && !dev)
    .map(([path]) => path)
    .filter((path) => existsSync(join(root, path)));
}

/** Returns the texts of the project, as `content/en/terms.md`. */
function contentFiles(): readonly string[] {
  const names = readdirSync(join(root, 'content'), { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.md')).map((name) => `content/${name}`);
}

/** Changes brand, views, pictures and pages of a clone. Adds a secret and data that must not reach the image. */
function customize(clone: string): void {
  const brand = join(clone, 'src/locales/brand.ts');
  const source = readFileSync(brand, 'utf8').replace(/"?merchant"?: \{[^}]*\}/g, MERCHANT);
  writeFileSync(brand, source.replace(/^ {2}name: .*,$/m, "  name: 'Muebles Ruiz',"));
  appendFileSync(join(clone, 'views/partials/foot.ejs'), '<p>Taller en Tequisquiapan</p>\n');
  writeFileSync(join(clone, 'public/products/silla.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  mkdirSync(join(clone, 'data'));
  for (const path of contentFiles()) writeFileSync(join(clone, path), '# Términos de {{merchant.legalName}}\n');
  for (const path of ['.env', 'data/tianguis.db']) writeFileSync(join(clone, path), 'secret');
}

/** Follows the Dockerfile: sends a clone, builds it and copies the files of the last stage. */
function buildImage(): string {
  const clone = copyProject();
  customize(clone);
  const [build, files] = [join(work, 'build'), join(work, 'image')];
  for (const path of sentPaths().filter((one) => existsSync(join(clone, one))))
    cpSync(join(clone, path), join(build, path), { recursive: true });
  rmSync(clone, { recursive: true });
  linkPackages(build);
  // As `npm run build`, without the check of types, which takes most of its time.
  const compiler = 'node_modules/@typescript/native/bin/tsc';
  for (const project of ['packages/payments', 'tsconfig.build.json'].filter((path) => existsSync(join(build, path))))
    expect(run(build, process.execPath, compiler, '-p', project, '--noCheck')).toEqual({ code: 0, output: '' });
  expect(run(build, process.execPath, 'tools/dev/copy-assets.js')).toEqual({ code: 0, output: '' });
  for (const path of imagePaths()) cpSync(join(build, path), join(files, path), { recursive: true });
  for (const path of productionPackages()) {
    mkdirSync(dirname(join(files, path)), { recursive: true });
    const own = join(files, 'packages', basename(path));
    symlinkSync(path.includes('/@tianguis/') && existsSync(own) ? own : join(root, path), join(files, path));
  }
  return files;
}

const OWN_PRODUCTS = `id,slug,price,tax_rate,requires_shipping,visible,image,name_es_mx,description_es_mx,image_alt_es_mx,category_es_mx
silla,silla-de-tule,890.00,16,yes,yes,/products/silla.svg,Silla de tule,Tejida a mano.,Silla con asiento de tule,Muebles
`;

function runInImage(env: Readonly<Record<string, string>>, script: string, ...args: readonly string[]) {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const node = [process.execPath, '--preserve-symlinks', join(image, 'dist', script)];
  return run(work, 'env', '-i', ...variables, ...node, ...args);
}

/** Files below the folders of the features, relative to these folders. */
function featureFiles(root: string): readonly string[] {
  const folder = join(root, 'src/features');
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
    .filter((path) => path.includes('/'));
}

/** The shop serves what a feature has in `public/`, and neither code, view nor test. The build has no source and no test. */
async function expectOnlyPublicFiles(url: string): Promise<void> {
  const files = featureFiles(root);
  const isPublic = (file: string) => /^[^/]+\/public\//.test(file);
  const addresses = files.flatMap((file) => {
    const [feature, ...rest] = file.split('/');
    const own = isPublic(file) ? rest.slice(1).join('/') : rest.join('/');
    return [own, `..%2f${rest.join('/')}`, `../${rest.join('/')}`].map((path) => ({
      path: `/assets/${feature}/${path}`,
      isServed: path === own && isPublic(file),
    }));
  });
  const served = await Promise.all(addresses.map(async ({ path }) => (await fetch(url + path)).status === 200));

  expect(addresses.filter((_address, index) => served[index] !== addresses[index]?.isServed)).toEqual([]);
  const built = featureFiles(join(image, 'dist'));
  expect(built.filter((file) => !/\.js(?:\.map)?$|^[^/]+\/(?:views|public)\//.test(file))).toEqual([]);
  expect(built.filter((file) => file.includes('/test/'))).toEqual([]);
}

test('the image of a clone with its own brand, view, picture, page and product starts in production and shows them', async () => {
  writeFileSync(join(work, 'products.csv'), OWN_PRODUCTS);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = { ...settings, DATABASE_URL: `file:${work}/shop.db`, PORT: String(port) };
  await using shop = new Program({
    name: 'shop',
    script: join(image, 'dist/src/main.js'),
    folder: work,
    env,
    ready: { url: `${url}/healthz` },
  });

  const imported = runInImage(env, 'src/cli/catalog.js', 'import', join(work, 'products.csv'));
  const doctor = hasDoctor ? runInImage(env, 'tools/doctor/main.js', '--offline') : undefined;
  // Symbolic links are kept, because the real folder of a package also holds development packages.
  await shop.start({ nodeOptions: ['--preserve-symlinks'] });

  expect(imported).toMatchObject({ code: 0, output: expect.stringContaining('1 new') });
  if (doctor) expect(doctor.output).toMatch(/\d+ checks passed/);
  const page = await (await fetch(url)).text();
  for (const own of ['Muebles Ruiz', 'Taller en Tequisquiapan', 'Silla de tule']) expect(page).toContain(own);
  const [style = '/none'] = /\/assets\/shop\.css\?v=\w+/.exec(page) ?? [];
  expect((await fetch(url + style)).status).toBe(200);
  const pictureOf = async () => {
    const html = await (await fetch(`${url}/products/silla-de-tule`, { headers: { Cookie: 'a=b' } })).text();
    return new Set(html.match(/\/assets\/products\/silla\.svg\?v=\w+/g));
  };
  const [before] = await pictureOf();
  writeFileSync(join(image, 'public/products/silla.svg'), '<svg xmlns="http://www.w3.org/2000/svg" id="b"/>');
  const [after, ...others] = await pictureOf();
  expect([after === before, others]).toEqual([false, []]);
  expect(await (await fetch(`${url}${after}`)).text()).toContain('id="b"');
  await expectOnlyPublicFiles(url);
  expect(await (await fetch(`${url}/pages/terms`)).text()).toContain('<h1>Términos de Muebles Ruiz, S.A.</h1>');
  expect(new Set(readdirSync(image))).toEqual(
    new Set(['content', 'dist', 'node_modules', 'package.json', 'packages', 'public', 'views']),
  );
  const tools = join(image, 'dist/tools');
  expect(existsSync(tools) ? readdirSync(tools) : []).toEqual(hasDoctor ? ['doctor'] : []);
  expect(existsSync(join(work, 'build/data'))).toBe(false);
  expect(existsSync(join(work, 'build/.env'))).toBe(false);
});

/** Runs a part of the shop with this text in all files of the image. */
async function withTexts(text: string, work: (paths: readonly string[]) => Promise<void> | void): Promise<void> {
  const paths = contentFiles();
  const texts = paths.map((path) => readFileSync(join(image, path), 'utf8'));
  for (const path of paths) writeFileSync(join(image, path), text);
  try {
    await work(paths);
  } finally {
    for (const [index, path] of paths.entries()) writeFileSync(join(image, path), texts[index] ?? '');
  }
}

test.each(['main', 'worker'])(
  'with missing pictures and a wrong .env %s does not start, and reports each',
  async (name) => {
    await withTexts('# Términos\n\n![](/no.jpg)\n', (paths) => {
      // Node.js would not read this line, and dotenv does.
      writeFileSync(join(work, '.env'), 'PORT: eighty\n');
      const { code, output } = runInImage(settings, `src/${name}.js`);
      rmSync(join(work, '.env'));

      expect(code).toBe(1);
      for (const reported of ['PORT', ...paths]) expect(output).toContain(`\n  - ${reported}: `);
      expect(output).toContain('the picture /no.jpg is no file');
    });
  },
);

test.each(['main', 'worker'])('with sample texts %s does not start, until the merchant stored others', async (name) => {
  const databaseUrl = `file:${work}/${name}.db`;
  const env = { ...settings, DATABASE_URL: databaseUrl };
  await withTexts('<!-- sample -->\n# Términos\n', async (paths) => {
    const { code, output } = runInImage(env, `src/${name}.js`);

    expect(code).toBe(1);
    for (const path of paths) expect(output).toContain(`\n  - ${path}: is a sample`);
    await using database = openDatabase(databaseUrl, () => {});
    const names = paths.map((path) => path.replace(/^content\/(.+)\/(.+)\.md$/, 'pages.$1.$2'));
    await storeSettings(database.queries, Object.fromEntries(names.map((each) => [each, '# Míos'])));
    const port = String(await freePort());
    const program = { name, script: join(image, `dist/src/${name}.js`), folder: work, env: { ...env, PORT: port } };
    const ready = name === 'main' ? { url: `http://127.0.0.1:${port}/healthz` } : { output: 'worker.started' };
    await using started = new Program({ ...program, ready });
    await started.start({ nodeOptions: ['--preserve-symlinks'] });
  });
});
