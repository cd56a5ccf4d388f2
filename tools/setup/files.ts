/** Builds the texts of the files that setup writes: `.env`, `src/locales/brand.ts`, `public/shop.css` and the logo. */
import dotenv from 'dotenv';
import { z } from 'zod';
import { readSettings, settingsSchema } from '../../src/config/settings.js';
import { sampleValues } from '../../src/content/sample-texts.js';
import type { brand } from '../../src/locales/brand.js';

type Brand = typeof brand;

/** A text of one line that pages, mails and legal texts show. */
const line = (limit: number) =>
  z
    .string()
    .trim()
    .regex(
      new RegExp(`^[^\\p{C}<>"\\\\]{1,${limit}}$`, 'u'),
      `must be 1 to ${limit} characters on one line, without < > " and \\`,
    );

/** The answers about the shop itself. Names, address, phone and e-mail address are shown to customers. */
export const shopSchema = z.object({
  name: line(60),
  color: z
    .string()
    .trim()
    .toLowerCase()
    .regex(/^#[0-9a-f]{6}$/, 'must be a color as #RRGGBB'),
  email: z.string().trim().pipe(settingsSchema.shape.MERCHANT_EMAIL.unwrap()),
  legalName: line(120),
  address: line(200),
  phone: z
    .string()
    .trim()
    .regex(/^[\d +()-]{10,20}$/, 'must have 10 digits, as 55 1234 5678'),
  whatsapp: z
    .string()
    .trim()
    .regex(/^(?:\+?\d(?:[ -]?\d){9,14})?$/, 'must be empty, or a phone number of 10 to 15 digits'),
  orderPrefix: z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^[A-Z]{2}$/, 'must be two letters'),
});

export type ShopAnswers = z.infer<typeof shopSchema>;

export const SAMPLE_PROBLEM = 'is a sample value, which production refuses; enter your own';

/** Returns the names of those of the answers about the merchant that production refuses. */
export function sampleAnswers(answers: Partial<ShopAnswers>): readonly (keyof ShopAnswers)[] {
  const names = (['legalName', 'address', 'phone', 'email'] as const).filter((name) => answers[name] !== undefined);
  return names.filter((name) => sampleValues({ [name]: answers[name] ?? '' }).length > 0);
}

/** Texts that suit every shop. They replace those of the sample shop. */
const NEUTRAL: Pick<Brand, 'decoration' | 'shareImage' | 'mailLogo' | 'texts'> = {
  decoration: false,
  shareImage: undefined,
  mailLogo: undefined,
  texts: {
    'es-MX': {
      tagline: 'Compra en línea y paga con tarjeta',
      hours: '',
      announcement: '',
      title: 'Tienda en línea',
      heading: 'Encuentra lo que buscas',
      intro: '',
      list: 'Productos',
      searchHint: 'Nombre o descripción',
      productNote: '',
    },
    en: {
      tagline: 'Shop online and pay by card',
      hours: '',
      announcement: '',
      title: 'Online shop',
      heading: 'Find what you are looking for',
      intro: '',
      list: 'Products',
      searchHint: 'Name or description',
      productNote: '',
    },
  },
};

const SAMPLE_NAME = 'Tianguis';

/** Whether the answers turn the sample shop into another one. Its texts and pictures are then replaced. */
export function replacesSample(current: Brand, { name }: Pick<ShopAnswers, 'name'>): boolean {
  return current.name === SAMPLE_NAME && name !== SAMPLE_NAME;
}

/** Returns the first two letters of the name, without accents, as prefix of the order numbers. */
export function orderPrefixOf(name: string): string {
  return lettersOf(name)
    .replace(/[^A-Z]/g, '')
    .slice(0, 2)
    .padEnd(2, 'X');
}

/** Returns the brand with the answers. */
export function withAnswers(current: Brand, shop: ShopAnswers): Brand {
  const { name, orderPrefix, whatsapp, legalName, address, phone, email } = shop;
  return {
    ...current,
    ...(replacesSample(current, shop) && NEUTRAL),
    name,
    orderPrefix,
    whatsapp,
    merchant: { ...current.merchant, legalName, address, phone, email },
  };
}

/** Returns the letters and digits of the name in upper case, without accents. */
function lettersOf(name: string): string {
  return name
    .normalize('NFD')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/** Returns the text of the brand file with another brand. */
export function withBrand(brandFile: string, value: Brand): string {
  const text = JSON.stringify(value, null, 2);
  return brandFile.replace(/^export const brand\b.*/ms, () => `export const brand: Brand = ${text};\n`);
}

/** Returns a plain logo as SVG: the first letter of the name on the main color. */
export function plainLogo({ name, color }: ShopAnswers): string {
  const [letter = ''] = lettersOf(name);
  const [red = 0, green = 0, blue = 0] = Buffer.from(color.slice(1), 'hex');
  const ink = 0.299 * red + 0.587 * green + 0.114 * blue > 150 ? '#000' : '#fff';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40" width="40" height="40"><rect width="40" height="40" rx="9" fill="${color}"/><text x="20" y="28.5" text-anchor="middle" font-family="system-ui, sans-serif" font-size="24" font-weight="700" fill="${ink}">${letter}</text></svg>\n`;
}

const COLOR = /(?<=^ {2}--brand: )#[0-9a-f]{6}(?=;$)/im;

/** Returns the main color in the text of the stylesheet. */
export function colorIn(stylesheet: string): string {
  return COLOR.exec(stylesheet)?.[0] ?? '';
}

/** Returns the text of the stylesheet with another main color. */
export function withColor(stylesheet: string, color: string): string {
  return stylesheet.replace(COLOR, color);
}

/**
 * Replaces settings in the text of an `.env` file and appends missing ones. Throws an error with all problems when the
 * shop would reject the result.
 */
export function withSettings(envFile: string, settings: Readonly<Record<string, string>>): string {
  let text = envFile;
  for (const [name, value] of Object.entries(settings)) {
    const present = new RegExp(`^${name}=.*$`, 'm');
    const line = envLine(name, value);
    if (present.test(text)) text = text.replace(present, () => line);
    // An empty value counts as absent. The setting may belong to a removed part.
    else if (value !== '') text = `${text.trimEnd()}\n${line}\n`;
  }
  const reading = readSettings(dotenv.parse(text));
  if (!reading.ok) throw new Error(reading.problems.join('\n'));
  return text;
}

/** Returns the settings that have another value in the text of an `.env` file. An empty value counts as absent. */
export function replacedSettings(envFile: string, settings: Readonly<Record<string, string>>): readonly string[] {
  const present = dotenv.parse(envFile);
  return Object.keys(settings).filter((name) => present[name] && present[name] !== settings[name]);
}

/** Uses the first quotes with which dotenv returns the value. */
function envLine(name: string, value: string): string {
  const lines = ['', "'", '"', '`'].map((quote) => `${name}=${quote}${value}${quote}`);
  const line = lines.find((each) => dotenv.parse(each)[name] === value);
  if (line === undefined) throw new Error(`${name}: cannot be written to .env`);
  return line;
}
