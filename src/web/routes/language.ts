import type { IRouter } from 'express';
import { localPath } from '../../shop/rules/local-path.js';
import { ShopError } from '../../shop/rules/shop-error.js';
import { fieldsOf } from '../form-body.js';
import { translatePath } from '../locale-path.js';
import { paths } from '../paths.js';
import { storeLocale } from '../request-context.js';
import type { WebContext } from '../web-context.js';

/** Adds `POST /language` with the fields `lang` and `back`. Stores the locale and redirects to `back` in this locale. */
export function addLanguageRoutes(app: IRouter, { config }: WebContext): void {
  app.post(paths.language, (req, res) => {
    const { lang, back } = fieldsOf(req);
    const locale = config.locales.find((known) => known === lang);
    if (!locale) throw new ShopError('bad_request');
    storeLocale(res, locale);
    res.redirect(303, translatePath(config.locales, locale, localPath(back)));
  });
}
