export const searchEnginesPaths = {
  robots: '/robots.txt',
  sitemap: '/sitemap.xml',
  sitemapPart: '/sitemap-:part.xml',
  favicon: '/favicon.ico',
} as const;
