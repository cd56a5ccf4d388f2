export const searchEnginesPaths = {
  robots: '/robots.txt',
  sitemap: '/sitemap.xml',
  favicon: '/favicon.ico',
} as const;
