export const shopSettingsPaths = {
  shop: '/admin/shop',
} as const;
