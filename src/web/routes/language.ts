import type { IRouter } from 'express';
import { localPath } from '../../domain/redirect.js';
import { ShopError } from '../../domain/shop-error.js';
import type { WebContext } from '../context.js';
import { fieldsOf } from '../form-body.js';
import { LANGUAGE_COOKIE } from '../request-context.js';

const YEAR_MS = 365 * 24 * 60 * 60 * 1000;

/** Adds `POST /language` with the fields `lang` and `back`. Stores the locale and redirects to the local path `back`. */
export function addLanguageRoutes(app: IRouter, { settings }: WebContext): void {
  app.post('/language', (req, res) => {
    const { lang, back } = fieldsOf(req);
    const locale = settings.locales.find((known) => known === lang);
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
