import type { Response } from 'express';
import type { Locale } from '../core/catalogue.js';
import { localPath } from '../core/redirect.js';
import { countCartPieces } from '../store/carts.js';
import type { Queries } from '../store/database.js';
import type { Assets } from './assets.js';
import { othersToo } from './in-step.js';
import type { KeptAnswers } from './kept-answers.js';
import { type Packed, pack, packingFor } from './packing.js';
import { contextOf } from './request-context.js';
import type { Layout } from './view-models.js';
import type { ViewModels, Views } from './views.js';

export interface PageSpec<V extends keyof ViewModels> {
  readonly view: V;
  readonly title: string;
  readonly page: ViewModels[V];
  readonly status?: number;
  readonly refreshSeconds?: number;
  readonly scripts?: readonly string[];
  /** How many pieces the visitor's cart holds, from whoever has just read it. */
  readonly cartCount?: number;
  /** Where this page is found by GET, for one that answers a post. */
  readonly path?: string;
}

export interface Pages {
  /** Renders a view inside the layout and sends it. */
  send<V extends keyof ViewModels>(res: Response, spec: PageSpec<V>): Promise<void>;
}

interface PageParts {
  readonly views: Views;
  readonly assets: Assets;
  readonly kept: KeptAnswers;
  readonly queries: Queries;
  readonly simulatorUrl: string | undefined;
  readonly languages: readonly Locale[];
}

const MOST_PACKED = 100;
const LANGUAGE_LABELS = { 'es-MX': 'Español', en: 'English' } as const;

/** Joins views, layout and words. */
export function createPages(parts: PageParts): Pages {
  const packed = recentPages();
  return {
    async send(res, spec) {
      await othersToo();
      const { locale, t } = contextOf(res);
      const layout: Layout = {
        lang: locale,
        languages: parts.languages.map((code) => ({
          code,
          label: LANGUAGE_LABELS[code],
          current: code === locale,
        })),
        title: spec.title,
        cartCount: spec.cartCount ?? (await countPieces(parts.queries, res)),
        path: spec.path ?? localPath(res.req.path),
        scripts: ['/forms.js', ...(spec.scripts ?? [])],
        ...(spec.refreshSeconds !== undefined && { refreshSeconds: spec.refreshSeconds }),
        ...(parts.simulatorUrl !== undefined && { simulatorUrl: parts.simulatorUrl }),
      };
      const html = parts.views.render(spec.view, { layout, page: spec.page, t, asset: parts.assets.url });
      res.status(spec.status ?? 200).type('html');
      // The length of a packed page tells of what it holds: pages with somebody's data travel as they are.
      if (res.getHeader('Cache-Control') === 'no-store') sendPlain(res, html);
      else parts.kept.keep(res, sendPacked(res, html, packed));
    },
  };
}

/** The same page goes to many: it is packed once. */
function recentPages(): (html: string) => Packed {
  const recent = new Map<string, Packed>();
  return (html) => {
    const page = recent.get(html) ?? pack(Buffer.from(html));
    recent.delete(html);
    recent.set(html, page);
    const [oldest] = recent.keys();
    if (oldest !== undefined && recent.size > MOST_PACKED) recent.delete(oldest);
    return page;
  };
}

/** Sends a page that nobody may keep, and that needs no name to ask for it again. */
function sendPlain(res: Response, html: string): void {
  // As bytes: a long text would be measured and turned once more on its way into the socket.
  const bytes = Buffer.from(html);
  res.setHeader('Content-Length', bytes.length);
  res.end(bytes);
}

/** Sends a page as small as the browser allows, and returns what went out. */
function sendPacked(res: Response, html: string, packed: (html: string) => Packed): Buffer {
  res.vary('Accept-Encoding').set('Cache-Control', 'private, no-cache');
  const packing = packingFor(res.req);
  if (packing) res.set('Content-Encoding', packing);
  const body = packing ? packed(html)(packing) : Buffer.from(html);
  res.send(body);
  return body;
}

/** The number in the header. A page is worth more than its number: when the database cannot say, it shows none. */
async function countPieces(queries: Queries, res: Response): Promise<number> {
  const cartId = res.req.session?.cartId;
  if (!cartId) return 0;
  return countCartPieces(queries, cartId).catch(() => 0);
}
