/** What a new shop is asked to be, on the command line. Pure. */
import { parseArgs } from 'node:util';
import { LANGUAGES, type Language, MONEYS, type Money, WAYS, type Way } from './answers.js';

export interface NewShopOptions {
  readonly help: boolean;
  readonly yes: boolean;
  readonly dryRun: boolean;
  readonly name?: string;
  readonly money?: Money;
  readonly languages?: readonly Language[];
  readonly ways?: readonly Way[];
}

export const USAGE = `npm run new-shop -- [options]
  --name NAME        what the shop is called, on every page and mail
  --money FORM       symbol for $1,234.50, or code for $1,234.50 MXN
  --languages LIST   es-MX, en, or both with a comma: the first is for visitors whose browser asks for neither
  --ways LIST        hosted, card, or hosted,card; the other way is taken out, with its routes, pages and tests
  --yes              asks nothing: what no option tells stays as it is
  --dry-run          lists what would be changed, and changes nothing
Needs npm ci and a tree without uncommitted changes. Exit code: 0 when done, 1 when it could not be, 2 when asked wrongly.`;

/** Throws an error whose message names the option that is wrong. */
export function readOptions(args: readonly string[]): NewShopOptions {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  const { values } = parseArgs({
    args: [...args],
    options: { help: flag, yes: flag, 'dry-run': flag, name: text, money: text, languages: text, ways: text },
  });
  const { help, yes, 'dry-run': dryRun, name, money, languages, ways } = values;
  return {
    ...{ help, yes, dryRun },
    ...(name !== undefined && { name: readName(name) }),
    ...(money !== undefined && { money: readMoney(money) }),
    ...(languages !== undefined && { languages: readLanguages(languages) }),
    ...(ways !== undefined && { ways: readWays(ways) }),
  };
}

export function readName(text: string): string {
  const name = text.trim();
  if (!/^[^\p{C}<>"\\]{1,60}$/u.test(name))
    throw new Error('--name must be one line of 1 to 60 characters without <, >, " and \\');
  return name;
}

export function readMoney(text: string): Money {
  return oneOf(MONEYS, text, '--money must be symbol or code');
}

export function readLanguages(text: string): readonly Language[] {
  const wrong = '--languages must be es-MX, en, or both';
  const languages = new Set(listOf(text).map((one) => oneOf(LANGUAGES, one, wrong)));
  if (languages.size === 0) throw new Error(wrong);
  return [...languages];
}

export function readWays(text: string): readonly Way[] {
  const wrong = '--ways must be hosted, card, or hosted,card';
  const ways = new Set(listOf(text).map((one) => oneOf(WAYS, one, wrong)));
  if (ways.size === 0) throw new Error(wrong);
  return WAYS.filter((way) => ways.has(way));
}

function listOf(text: string): readonly string[] {
  return text.split(/[\s,]+/).filter(Boolean);
}

function oneOf<T extends string>(known: readonly T[], text: string, wrong: string): T {
  const found = known.find((one) => one === text.trim());
  if (found === undefined) throw new Error(wrong);
  return found;
}
