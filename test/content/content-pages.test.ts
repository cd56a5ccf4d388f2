import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { loadContentPages } from '../../src/content/content-pages.js';
import { contentValues } from '../../src/content/content-values.js';
import { findFileProblems } from '../../src/content/file-problems.js';
import { findSampleTexts } from '../../src/content/sample-texts.js';
import { brand } from '../../src/locales/brand.js';
import { i18nIn } from '../../src/locales/i18n.js';
import { loadTranslations } from '../../src/locales/translations.js';
import { projectRoot } from '../../src/project-root.js';
import { DEFAULT_TABLE } from '../../src/shop/rules/default-table.js';
import type { Locale } from '../../src/shop/rules/locale.js';
import { LOCALES } from '../../src/shop/rules/locales.js';

const VALUES = { 'merchant.email': 'hola@rios.mx' };
const MERCHANT = {
  legalName: 'Comercial Ríos, S.A. de C.V.',
  address: 'Av. Juárez 5, 68000 Oaxaca de Juárez, Oax.',
  phone: '951 123 4567',
  email: 'hola@rios.mx',
};
let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tianguis-content-'));
  write('es-MX/privacy.md', '# Aviso');
  write('es-MX/terms.md', '# Términos');
});
afterEach(() => rmSync(directory, { recursive: true }));

function write(path: string, text: string): void {
  const file = join(directory, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const PARTS = { valuesIn: () => VALUES, assetUrl: (path: string) => `/assets${path}?v=1` };
const load = (locales = LOCALES as readonly (typeof LOCALES)[number][]) => loadContentPages(directory, locales, PARTS);

test('a text is a page with the title of its first heading and the values of its placeholders', () => {
  write('es-MX/about-us.md', '# Quiénes somos & dónde\n\n- **Correo:** {{merchant.email}}\n- [Términos](terms)\n');

  const page = load()('es-MX').get('about-us');

  expect(page).toMatchObject({ slug: 'about-us', locale: 'es-MX', title: 'Quiénes somos & dónde' });
  expect(page?.sample).toBeUndefined();
  for (const part of [
    '<h1>Quiénes somos &amp; dónde</h1>',
    '<li><strong>Correo:</strong> <a href="mailto:hola@rios.mx">hola@rios.mx</a></li>',
    '<li><a href="terms">Términos</a></li>',
  ])
    expect(page?.html()).toContain(part);
});

test.each([
  '<script>alert(1)</script>',
  '<div onclick="alert(1)">\n\ntext\n\n</div>',
  'text <img src=x onerror=alert(1)> text',
  '<!-- a comment -->',
  '<a href="javascript:alert(1)">text</a>',
])('the HTML %j in a text is shown as text', (html) => {
  write('es-MX/page.md', `# Título\n\n${html}\n`);

  const page = load()('es-MX').get('page');

  expect(page?.html()).toContain('&lt;');
  expect(page?.html()).not.toMatch(/<(?:script|div|img|a |!--)/);
});

test.each([
  ['Without a heading.', 'has no heading'],
  ['# Page\n\n{{merchant.fax}}', 'has the unknown placeholder {{merchant.fax}}'],
])('a file with the text %j is refused with its name', (text, message) => {
  write('es-MX/page.md', text);

  expect(load).toThrow(`content/es-MX/page.md ${message}`);
});

test('a stored text replaces that of its file, and one with a problem is not used', () => {
  write('es-MX/terms.md', '<!-- sample -->\n---\norder: 2\n---\n# Términos');
  const loadWith = (stored: Readonly<Record<string, unknown>>) =>
    loadContentPages(directory, ['es-MX'], { ...PARTS, stored: new Map(Object.entries(stored)) })('es-MX');

  const written = loadWith({ 'pages.es-MX.terms': '# Mío', 'pages.es-MX.unknown': '# X' });
  expect(written.get('terms')).toMatchObject({ title: 'Mío', order: 2, sample: undefined });
  expect([...written.keys()]).toEqual(['terms', 'privacy']);
  for (const text of ['no heading', '# A\n\n{{merchant.fax}}', '# A {{constructor}}', 7]) {
    const broken = loadWith({ 'pages.es-MX.terms': text }).get('terms');
    expect([broken?.title, broken?.sample]).toEqual(['Términos', 'content/es-MX/terms.md']);
  }
});

test.each(['_a', '_*a', '~a', '`a``', '[a](', '![', '> ', '1. ', '> - ', '- a\n', '{{links}}'])(
  'a stored text of nothing but %j is not used, because parsing it would keep other requests waiting',
  (marks) => {
    const text = `# Mío\n\n${marks.repeat(20_000 / marks.length)}`;
    const values = { ...VALUES, links: '- [Instagram](https://instagram.com/tienda)\n' };
    const parts = { ...PARTS, valuesIn: () => values, stored: new Map([['pages.es-MX.terms', text]]) };

    expect(loadContentPages(directory, ['es-MX'], parts)('es-MX').get('terms')?.title).toBe('Términos');
  },
);

test('a long text with lists, links and emphasis is used, and is parsed once for all changes of other settings', () => {
  const item = '- **Plazo:** lo que tarda la *paquetería* en [llegar](envios) a tu casa, según el _aviso_.\n';
  const question = '**¿Cuánto tarda mi pedido?** ¡Muy poco! Sale al día siguiente, con *guía* y `rastreo`.\n';
  const rule = `${'- '.repeat(30)}\n`;
  const text = `# Mío\n\n![Foto](/foto.jpg)\n\n${rule}\n${question.repeat(60)}\n${item.repeat(150)}`;
  let parsed = 0;
  const assetUrl = (path: string) => {
    parsed += 1;
    return path;
  };
  const parts = { ...PARTS, assetUrl, stored: new Map([['pages.es-MX.terms', text]]) };
  const pages = [1, 2, 3].map(() => loadContentPages(directory, ['es-MX'], parts)('es-MX').get('terms'));

  expect(pages.map((page) => page?.title)).toEqual(['Mío', 'Mío', 'Mío']);
  expect(pages[2]?.html().match(/<li>/g)).toHaveLength(150);
  expect(parsed).toBe(1);
});

test.each([
  'javascript:alert(1)',
  'JAVASCRIPT:alert(1)',
  'java&#10;script:alert(1)',
  'javascript&colon;alert(1)',
  'data:text/html,x',
])('a link to %s is plain text, and links of the shop stay', (href) => {
  write('es-MX/page.md', `# Título\n\n[a](${href}) [b](/?q=a&page=2) [c](https://a.mx/?b=c:d)\n`);

  const html = load()('es-MX').get('page')?.html() ?? '';

  expect(html.match(/href="[^"]*"/g)).toEqual(['href="/?q=a&amp;page=2"', 'href="https://a.mx/?b=c:d"']);
});

test.each(['privacy', 'terms'])('without the page %s, which the checkout links, content is refused', (slug) => {
  rmSync(join(directory, `es-MX/${slug}.md`));

  expect(load).toThrow(`content/es-MX/${slug}.md is missing`);
});

test('pages have the order of their front matter, then that of their slugs, and a sample may have it too', () => {
  write('es-MX/terms.md', '---\norder: 2\nheader: true\n---\n# Términos');
  write('es-MX/about.md', '<!-- sample -->\r\n---\r\norder: 1\r\n---\r\n# Quiénes somos');
  write('es-MX/zeta.md', '---\norder: 10\n---\n<!-- sample -->\n# Zeta');

  const pages = [...load()('es-MX').values()];

  expect(pages.map(({ slug, header, sample }) => [slug, header, sample !== undefined])).toEqual([
    ['about', false, true],
    ['terms', true, false],
    ['zeta', false, true],
    ['privacy', false, false],
  ]);
  expect(pages[0]?.html()).toBe('<h1>Quiénes somos</h1>\n');
});

test('blanks after the lines around front matter, and after that of a sample, change nothing', () => {
  write('es-MX/about.md', '\uFEFF<!-- sample --> \n--- \norder: 1\n---\t\n# Quiénes somos');

  expect([...load()('es-MX').keys()][0]).toBe('about');
  expect(load()('es-MX').get('about')?.html()).toBe('<h1>Quiénes somos</h1>\n');
  expect(findSampleTexts(directory, ['es-MX'], new Map(), MERCHANT)).toHaveLength(1);
});

test.each(['latin1', 'utf16le'] as const)('a text in %s is a problem that names its cure', (encoding) => {
  const project = mkdtempSync(join(tmpdir(), 'tianguis-project-'));
  mkdirSync(join(project, 'content/es-MX'), { recursive: true });
  writeFileSync(
    join(project, 'content/es-MX/terms.md'),
    Buffer.from('\ufeff# Envíos en México'.slice(encoding === 'latin1' ? 1 : 0), encoding),
  );

  const problems = findFileProblems(project, ['es-MX']).filter((problem) => problem.startsWith('content/'));

  rmSync(project, { recursive: true });
  expect(problems).toEqual(['content/es-MX/terms.md: is not UTF-8; save it again with the encoding UTF-8']);
});

test('a picture in a text has its address below public/, and one without a file is a problem, as are other front matter and brand links', () => {
  const shown = {
    ...brand,
    shareImage: undefined,
    mailLogo: '/logo.gif',
    heroImage: '/nada.jpg',
    whatsapp: '12',
    orderPrefix: 'T',
  };
  const social = { instagram: 'http://instagram.com/x', facebook: 'https://facebook.com/x', tiktok: '' };
  const project = join(directory, 'project');
  mkdirSync(join(project, 'public/products'), { recursive: true });
  writeFileSync(join(project, 'public/products/taller.jpg'), '');
  const text =
    '---\norden: 1\norder: x\n---\n# A\n\n![Taller "1"](/products/taller.jpg) ![](/no.jpg) ![](https://a.b/c.jpg)';
  write('project/content/es-MX/about.md', text);
  write('es-MX/about.md', text);

  expect(load()('es-MX').get('about')?.html()).toContain(
    '<img src="/assets/products/taller.jpg?v=1" alt="Taller &quot;1&quot;">',
  );
  expect(findFileProblems(project, LOCALES, { ...shown, social }).map((problem) => problem.slice(0, 60))).toEqual([
    'src/locales/brand.ts: orderPrefix must be two capital letter',
    'src/locales/brand.ts: heroImage /nada.jpg is no file below p',
    'src/locales/brand.ts: mailLogo /logo.gif is no file below pu',
    'src/locales/brand.ts: whatsapp must be a phone number of 10 ',
    'src/locales/brand.ts: social.instagram must be an address wi',
    'content/es-MX/about.md: orden must be a line "order: 1" or "',
    'content/es-MX/about.md: order must be a line "order: 1" or "',
    'content/es-MX/about.md: the picture /no.jpg is no file below',
    'content/es-MX/about.md: the picture https://a.b/c.jpg is no ',
  ]);
});

test('a sample text is a page that names its file, and it is found with the sample values of the merchant', () => {
  write('es-MX/privacy.md', '<!-- sample -->\r\n# Aviso');
  write('en/privacy.md', '<!-- sample -->\n# Notice');
  const sample = { legalName: 'Empresa de Ejemplo, S.A.', phone: '', email: 'hola@tienda.example' };

  const page = load()('es-MX').get('privacy');
  expect([page?.sample, page?.html()]).toEqual(['content/es-MX/privacy.md', '<h1>Aviso</h1>\n']);
  expect(findSampleTexts(directory, ['es-MX'], new Map(), MERCHANT)).toEqual([
    'content/es-MX/privacy.md: is a sample; write your text and remove the first line',
  ]);
  expect(
    findSampleTexts(directory, LOCALES, new Map(), { ...MERCHANT, ...sample }).map((problem) => problem.split(' ', 2)),
  ).toEqual([
    ['content/es-MX/privacy.md:', 'is'],
    ...LOCALES.slice(1).map((locale) => [`content/${locale}/privacy.md:`, 'is']),
    ['src/locales/brand.ts:', 'merchant.legalName'],
    ['src/locales/brand.ts:', 'merchant.phone'],
    ['src/locales/brand.ts:', 'merchant.email'],
  ]);
});

test('the links between the texts of this project have texts as targets', () => {
  const valuesIn = (locale: Locale) =>
    contentValues({ brand, shipping: DEFAULT_TABLE }, i18nIn(loadTranslations(), locale));
  const contentIn = loadContentPages(join(projectRoot, 'content'), LOCALES, { ...PARTS, valuesIn });

  for (const pages of LOCALES.map(contentIn)) {
    const html = [...pages.values()].map((page) => page.html()).join('');
    const linked = [...html.matchAll(/href="([\w-]+)"/g)].map(([, slug]) => slug);
    expect(linked.filter((slug) => !pages.has(slug ?? ''))).toEqual([]);
  }
});

test('a name or an address is plain text in the pages', () => {
  write('es-MX/terms.md', '# Términos\n\n{{merchant.legalName}}, {{merchant.email}}');
  const legalName = '[Luz](//example.com) *y* <b>Sol</b>';
  const shown = { ...brand, merchant: { ...brand.merchant, legalName } };
  const values = contentValues({ brand: shown, shipping: DEFAULT_TABLE }, i18nIn(loadTranslations(), 'es-MX'));
  const page = loadContentPages(directory, ['es-MX'], { ...PARTS, valuesIn: () => values })('es-MX').get('terms');

  expect(page?.html()).toContain('<p>[Luz](//example.com) *y* &lt;b&gt;Sol&lt;/b&gt;, ');
});
