/** Builds the texts of the files that setup writes: `.env`, `src/locales/brand.ts` and `public/shop.css`. */
import dotenv from 'dotenv';
import type { brand } from '../../src/locales/brand.js';
import { type Environment, readSettings } from '../../src/settings.js';

type Brand = typeof brand;

export const NAME_RULE = 'must be 1 to 60 characters on one line, without < > " and \\';
export const COLOR_RULE = 'must be a color as #RRGGBB';
export const EMAIL_RULE = 'must be one email address';

export function isShopName(name: string): boolean {
  return /^[^\p{C}<>"\\]{1,60}$/u.test(name) && name.trim() === name;
}

export function isColor(color: string): boolean {
  return /^#[0-9a-f]{6}$/i.test(color);
}

export function isEmail(email: string): boolean {
  return /^[^\s@,;<>"']+@[^\s@,;<>"']+$/.test(email);
}

/** Texts that suit every shop. They replace those of the sample shop. */
const NEUTRAL: Pick<Brand, 'decoration' | 'shareImage' | 'texts'> = {
  decoration: false,
  shareImage: undefined,
  texts: {
    'es-MX': {
      tagline: 'Compra en línea con entrega en todo México',
      title: 'Tienda en línea',
      heading: 'Encuentra lo que buscas',
      intro: '',
      list: 'Productos',
      searchHint: 'Nombre o descripción',
      productNote: '',
    },
    en: {
      tagline: 'Shop online, delivered anywhere in Mexico',
      title: 'Online shop',
      heading: 'Find what you are looking for',
      intro: '',
      list: 'Products',
      searchHint: 'Name or description',
      productNote: '',
    },
  },
};

/** The answers about the shop itself. `color` is `#RRGGBB`. */
export interface ShopAnswers {
  readonly name: string;
  readonly color: string;
  /** The merchant's email address, shown to customers. */
  readonly email: string;
}

const SAMPLE_NAME = 'Tianguis';

/** Whether the answers turn the sample shop into another one. Its texts and pictures are then replaced. */
export function replacesSample(current: Brand, { name }: ShopAnswers): boolean {
  return current.name === SAMPLE_NAME && name !== SAMPLE_NAME;
}

/** Returns the brand with the answers. */
export function withAnswers(current: Brand, shop: ShopAnswers): Brand {
  const { name, email } = shop;
  return {
    ...current,
    ...(replacesSample(current, shop) && { ...NEUTRAL, orderPrefix: prefixOf(name) }),
    name,
    merchant: { ...current.merchant, email },
  };
}

/** The first two letters of the name, without accents. */
function prefixOf(name: string): string {
  const letters = name
    .normalize('NFD')
    .toUpperCase()
    .replace(/[^A-Z]/g, '');
  return letters.slice(0, 2).padEnd(2, 'X');
}

/** Returns the text of the brand file with another brand. Throws when the file does not export `brand`. */
export function withBrand(brandFile: string, value: Brand): string {
  const start = brandFile.indexOf('export const brand');
  if (start < 0) throw new Error('src/locales/brand.ts does not export brand');
  return `${brandFile.slice(0, start)}export const brand: Brand = ${JSON.stringify(value, null, 2)};\n`;
}

/** Returns a plain logo as SVG: the first letter of the name on the main color. */
export function plainLogo({ name, color }: ShopAnswers): string {
  const letter =
    name
      .normalize('NFD')
      .match(/[\p{L}\p{N}]/u)?.[0]
      ?.toUpperCase() ?? '';
  const ink = isLight(color) ? '#000' : '#fff';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40" width="40" height="40"><rect width="40" height="40" rx="9" fill="${color}"/><text x="20" y="28.5" text-anchor="middle" font-family="system-ui, sans-serif" font-size="24" font-weight="700" fill="${ink}">${letter}</text></svg>\n`;
}

/** Whether black text on the color has more contrast than white text, by its relative luminance in WCAG. */
function isLight(color: string): boolean {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179;
}

const COLOR = /^ {2}--brand: (#[0-9a-f]{6});$/im;

/** Returns the main color in the text of the stylesheet. */
export function colorIn(stylesheet: string): string {
  return COLOR.exec(stylesheet)?.[1] ?? '';
}

/** Returns the text of the stylesheet with another main color. */
export function withColor(stylesheet: string, color: string): string {
  return stylesheet.replace(COLOR, `  --brand: ${color.toLowerCase()};`);
}

/**
 * Replaces settings in the text of an `.env` file and appends missing ones. Throws an error with all problems when the
 * shop would reject the result.
 */
export function withSettings(envFile: string, settings: Readonly<Record<string, string>>): string {
  let text = envFile;
  for (const [name, value] of Object.entries(settings)) {
    const line = `${name}=${quoted(value)}`;
    const present = new RegExp(`^${name}=.*$`, 'm');
    text = present.test(text) ? text.replace(present, () => line) : `${text.trimEnd()}\n${line}\n`;
  }
  const written: Environment = dotenv.parse(text);
  const unwritable = Object.keys(settings).filter((name) => written[name] !== settings[name]);
  const reading = readSettings(written);
  const problems = [
    ...unwritable.map((name) => `${name}: cannot be written to .env`),
    ...(reading.ok ? [] : reading.problems),
  ];
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return text;
}

function quoted(value: string): string {
  if (/^[\w<>@. ,:/-]*$/.test(value)) return value;
  const quote = ["'", '"', '`'].find((each) => !value.includes(each)) ?? "'";
  return `${quote}${value}${quote}`;
}
