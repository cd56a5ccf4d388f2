import type { IRouter } from 'express';
import { localPath } from '../../core/redirect.js';
import { ShopError } from '../../core/shop-error.js';
import { LANGUAGE_COOKIE } from '../middleware/request-context.js';
import type { WebServices } from '../services.js';

const YEAR_MS = 365 * 24 * 60 * 60 * 1000;

/** The language chosen by hand: `POST /language` with `lang` and the local path to go `back` to. */
export function addLanguageRoutes(app: IRouter, { settings }: WebServices): void {
  app.post('/language', (req, res) => {
    const { lang, back } = req.body as Readonly<Record<string, unknown>>;
    const locale = settings.languages.find((known) => known === lang);
    if (!locale) throw new ShopError('bad_request');
    res.cookie(LANGUAGE_COOKIE, locale, {
      maxAge: YEAR_MS,
      httpOnly: true,
      sameSite: 'lax',
      secure: settings.publicUrl.startsWith('https:'),
    });
    res.redirect(303, localPath(back));
  });
}
