export const settingsFilePath = '/admin/shop/file';
