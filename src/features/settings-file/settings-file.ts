/** All settings as one JSON file, except pictures: `{ "settings": { "brand.name": "Casa Luz", "brand.whatsapp": null } }`. */
import type { StoredSettings } from '../../shop/rules/shop-settings.js';
import type { CurrentShop } from '../../web/context.js';
import type { LabelContext } from '../../web/shop-setting.js';
import { groupsOf } from '../shop-settings/groups.js';
import type { SettingValues } from '../shop-settings/repository.js';
import { readSetting, type Setting, type SettingProblem } from '../shop-settings/setting.js';

type FileShop = Pick<CurrentShop, 'shopSettings' | 'ownSettings' | 'configDefaults' | 'contentIn'> &
  Pick<LabelContext, 'config'>;

/** In bytes. */
export const SETTINGS_FILE_LIMIT = 1024 * 1024;

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
  const read = Object.entries(found).map(([name, raw]) => {
    const setting = settings.get(name);
    return { name, ...(setting ? readSetting(setting, raw) : readOwn(shop, name, raw)) };
  });
  const problems = read.flatMap((each) => ('problem' in each ? [each] : []));
  const values = Object.fromEntries(read.flatMap((each) => ('value' in each ? [[each.name, each.value]] : [])));
  return problems.length > 0 ? { problems } : { values };
}

function readOwn(
  shop: FileShop,
  name: string,
  value: unknown,
): { readonly value: unknown } | Pick<FileSettingProblem, 'problem'> {
  const own = shop.ownSettings.find((each) => each.names(shop).includes(name));
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
