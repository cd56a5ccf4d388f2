import { pathTo } from '../../web/paths.js';
import type { SettingsGroup } from './groups.js';

export const shopSettingsPaths = {
  shop: '/admin/shop',
  picture: '/admin/shop/picture',
  history: '/admin/shop/history',
  undo: '/admin/shop/history/:version/undo',
  group: '/admin/shop/:group',
} as const;

export function groupPath({ id }: Pick<SettingsGroup, 'id'>): string {
  return pathTo(shopSettingsPaths.group, { group: id });
}
