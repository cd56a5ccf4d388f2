import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Brand, brand } from '../locales/brand.js';
import type { Locale } from '../shop/rules/locale.js';
import { type ContentFile, readContentFiles } from './content-files.js';
import { picturesIn } from './markdown.js';

const BRAND = 'src/locales/brand.ts';
const PICTURE = /^(?:\/[\w-][\w.-]*)+$/;
/** The names of the front matter, and the form of their values. */
const FRONT_MATTER: Readonly<Record<string, RegExp>> = { order: /^\d{1,4}$/, header: /^(?:true|false)$/ };

/**
 * Returns what is wrong in the texts and in the brand, as `file: what is wrong`: a picture without a file, front matter
 * that is not known, a text that is not UTF-8, and a link that is no https address. The shop does not start with it.
 */
export function findFileProblems(
  projectDirectory: string,
  locales: readonly Locale[],
  shown: Brand = brand,
): readonly string[] {
  const isMissing = (path: string) => !isPictureFile(join(projectDirectory, 'public'), path);
  const files = readContentFiles(join(projectDirectory, 'content'), locales);
  return [...brandProblems(shown, isMissing), ...files.flatMap((file) => textProblems(file, isMissing))];
}

/**
 * Returns whether a path names a file below `public/`.
 * @public also used by features
 */
export function isPictureFile(publicDirectory: string, path: string): boolean {
  return PICTURE.test(path) && existsSync(join(publicDirectory, path));
}

type IsMissing = (path: string) => boolean;

function textProblems({ path, text, frontMatter, isUtf8 }: ContentFile, isMissing: IsMissing): readonly string[] {
  // Windows-1252, for example, has other bytes for letters with accents.
  if (!isUtf8) return [`${path}: is not UTF-8; save it again with the encoding UTF-8`];
  const wrong = [...frontMatter].filter(([name, value]) => !FRONT_MATTER[name]?.test(value));
  return [
    ...wrong.map(([name]) => `${path}: ${name} must be a line "order: 1" or "header: true"`),
    ...picturesIn(text)
      .filter(isMissing)
      .map((picture) => `${path}: the picture ${picture} is no file below public/`),
  ];
}

function brandProblems(
  { orderPrefix, heroImage, shareImage = '', mailLogo = '', whatsapp, social }: Brand,
  isMissing: IsMissing,
): readonly string[] {
  const named = Object.entries({ heroImage, shareImage, mailLogo });
  const pictures = named.filter(([, path]) => path !== '' && isMissing(path));
  const profiles = Object.entries(social).filter(([, href]) => href !== '' && !/^https:\/\/\S+$/.test(href));
  const problems = [
    ...(/^[A-Z]{2}$/.test(orderPrefix) ? [] : ['orderPrefix must be two capital letters']),
    ...pictures.map(([name, path]) => `${name} ${path} is no file below public/`),
    ...(/^(?:\+?\d(?:[ -]?\d){9,14})?$/.test(whatsapp) ? [] : ['whatsapp must be a phone number of 10 to 15 digits']),
    ...profiles.map(([name]) => `social.${name} must be an address with https:`),
  ];
  return problems.map((problem) => `${BRAND}: ${problem}`);
}
