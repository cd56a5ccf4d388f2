/** All settings as one JSON file, except pictures: `{ "settings": { "brand.name": "Casa Luz", "brand.whatsapp": null } }`. */

import type { CurrentShop } from '../../settings/current-shop.js';
import type { LabelContext, OwnSettings } from '../../settings/shop-setting.js';
import type { StoredSettings } from '../../shop/rules/shop-settings.js';
import { groupsOf } from '../shop-settings/groups.js';
import type { SettingValues } from '../shop-settings/repository.js';
import { readSetting, type Setting, type SettingProblem } from '../shop-settings/setting.js';

type FileShop = Pick<CurrentShop, 'shopSettings' | 'ownSettings' | 'configDefaults' | 'contentIn'> &
  Pick<LabelContext, 'config'>;

/** In bytes. */
export const SETTINGS_FILE_LIMIT = 1024 * 1024;
/** Reading stops at this number, which is stored and shown. */
const MAX_PROBLEMS = 50;
/** Of a name in a problem, in characters. */
const LONGEST_NAME = 100;

/** `file`: it is no file of settings. `unknown`: the shop has no setting of this name. */
export interface FileSettingProblem {
  readonly name: string;
  readonly problem: SettingProblem | 'file' | 'unknown';
}

export type SettingsFileReading =
  | { readonly values: SettingValues }
  | { readonly problems: readonly FileSettingProblem[] };

/** Returns the file. `null`: the default. */
export function writeSettingsFile(shop: FileShop, stored: StoredSettings): string {
  const own = shop.ownSettings.flatMap((each) => each.names(shop));
  const names = [...settingsIn(shop).map(({ name }) => name), ...own];
  const values = names.map((name) => [name, stored.get(name) ?? null]);
  return `${JSON.stringify({ settings: Object.fromEntries(values) }, null, 2)}\n`;
}

/** Reads a file by the rules of the forms. A name that it does not have keeps its value. */
export function readSettingsFile(shop: FileShop, text: string): SettingsFileReading {
  // In another encoding, letters with accents are lost.
  const found = text.includes('\uFFFD') ? undefined : parseSettings(text);
  if (!found) return { problems: [{ name: '', problem: 'file' }] };
  const settings = new Map(settingsIn(shop).map((setting) => [setting.name, setting]));
  const owners = new Map(shop.ownSettings.flatMap((own) => own.names(shop).map((name) => [name, own] as const)));
  const problems: FileSettingProblem[] = [];
  const values = new Map<string, unknown>();
  for (const [name, raw] of Object.entries(found)) {
    const setting = settings.get(name);
    const read = setting ? readSetting(setting, raw) : readOwn(owners.get(name), raw);
    if ('value' in read) values.set(name, read.value);
    else problems.push({ name: name.slice(0, LONGEST_NAME), problem: read.problem });
    if (problems.length === MAX_PROBLEMS) break;
  }
  return problems.length > 0 ? { problems } : { values: Object.fromEntries(values) };
}

function readOwn(
  own: OwnSettings | undefined,
  value: unknown,
): { readonly value: unknown } | Pick<FileSettingProblem, 'problem'> {
  if (!own) return { problem: 'unknown' };
  return value === null || own.accepts(value) ? { value } : { problem: 'type' };
}

function settingsIn(shop: FileShop): readonly Setting[] {
  return groupsOf(shop)
    .flatMap(({ settings }) => settings)
    .filter(({ kind }) => kind !== 'picture');
}

function parseSettings(text: string): object | undefined {
  try {
    const { settings } = JSON.parse(text.replace(/^\uFEFF/, '')) as { readonly settings?: unknown };
    return typeof settings === 'object' && settings !== null && !Array.isArray(settings) ? settings : undefined;
  } catch {
    return undefined;
  }
}
