import { type Answers, PARTINGS, WAYS } from './answers.js';
import type { Changes } from './project.js';

const AMOUNTS = { symbol: '$1,234.50', code: '$1,234.50 MXN' } as const;

/** What the shop is going to be, in words. */
export function tellAnswers({ name, money, languages, ways }: Answers): string {
  const out = WAYS.filter((way) => !ways.includes(way)).map((way) => PARTINGS[way].says);
  return [
    `name       ${name}`,
    `amounts    ${AMOUNTS[money]}`,
    `languages  ${languages.join(', ')}`,
    `payment    ${ways.map((way) => PARTINGS[way].says).join(', or ')}${out.length > 0 ? `; without ${out.join()}` : ''}`,
  ].join('\n');
}

/** Every file by name when it is only asked what would happen, else how many. */
export function tellChanges({ written, removed }: Changes, each: boolean): string {
  if (written.size + removed.length === 0) return 'The project is so already: nothing to change.';
  const sum = `${written.size} files to change, ${removed.length} to remove.`;
  if (!each) return sum;
  const lines = [
    ...[...written.keys()].map((path) => `change  ${path}`),
    ...removed.map((path) => `remove  ${path}`),
  ];
  return `${lines.join('\n')}\n${sum} Nothing was changed.`;
}

export const NEXT = `
Done. See it with git diff; git checkout . takes it all back, but for .env.
  npm start        runs the shop
  npm run check    looks it over
  npm test         runs every test that is left
Colours are the first lines of public/shop.css, the logo public/logo.svg; docs/adapting.md has the rest.`;
