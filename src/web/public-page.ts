/** `Cache-Control` of public pages. Browsers may store a page and must revalidate it each time. */
export const CACHE_CONTROL = 'private, no-cache';

/** A public page. `path` is its path in the first locale, with the query string. */
export interface PublicPage {
  readonly path: string;
  /** The path that search engines show instead. */
  readonly canonical?: string;
  /** Default: the tagline of the shop. */
  readonly description?: string;
  /** Path of a picture, as `image` of a product. Link previews do not show SVG. */
  readonly image?: string;
  /** `product` or, by default, `website`. */
  readonly type?: string;
}

export interface Link {
  readonly label: string;
  readonly href: string;
}
