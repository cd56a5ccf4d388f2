/** History of a product as text for the back office. */

import { fromPesosText } from '@tianguis/payments/rules';
import { messageOf } from '../../admin/order/order-timeline.js';
import { TEXT_COLUMNS } from '../../catalog/product-cells.js';
import type { I18n } from '../../locales/i18n.js';
import type { Locale } from '../../shop/rules/locale.js';
import { NO_PICTURE, pictureHashOf } from '../../shop/rules/picture.js';
import type { ProductEvent } from '../../tables/product-changes.js';

const MAX_SHOWN_LENGTH = 200;

/** Builds the list of events with the changed fields, in the order of `events`. */
export function productHistory(i18n: I18n, events: readonly ProductEvent[]) {
  return events.map(({ at, by, kind, detail }) => ({
    at,
    // A name of the program, or that of an admin user.
    by: messageOf(i18n, `products.authors.${by}`) ?? by,
    kind: i18n.t(`products.changeKinds.${kind}`),
    changes: changedFields(i18n, detail),
  }));
}

/** Builds the list of changed fields. */
export function changedFields(i18n: I18n, detail: ProductEvent['detail']) {
  return Object.entries(detail).map(([column, [before, after]]) => ({
    field: fieldLabel(i18n, column),
    before: cellText(i18n, column, before),
    after: cellText(i18n, column, after),
  }));
}

function fieldLabel(i18n: I18n, column: string): string {
  const text = TEXT_COLUMNS.find((each) => each.column === column);
  if (!text) return messageOf(i18n, `products.columns.${column}`) ?? column;
  return `${i18n.t(`products.texts.${text.name}`)} (${languageName(i18n, text.locale)})`;
}

export function cellText(i18n: I18n, column: string, cell: string): string {
  const { t, money } = i18n;
  const amount = column.startsWith('price') ? fromPesosText(cell) : undefined;
  if (amount !== undefined) return money(amount);
  if (column === 'stock' && cell === '') return t('products.unlimited');
  if (column === 'tax_rate') return cell === 'exempt' ? t('products.exempt') : t('tax.none', { rate: cell });
  if (['visible', 'featured', 'requires_shipping'].includes(column))
    return t(cell === 'yes' ? 'products.yes' : 'products.no');
  if (column === 'pictures') return String(cell.split(', ').filter(Boolean).length);
  if (column === 'image') return imageText(i18n, cell);
  return plainText(i18n, column, cell);
}

function plainText(i18n: I18n, column: string, cell: string): string {
  if (cell === '') return '—';
  if (column === 'variant_attribute') return messageOf(i18n, `products.attributes.${cell}`) ?? cell;
  return cell.length <= MAX_SHOWN_LENGTH ? cell : `${cell.slice(0, MAX_SHOWN_LENGTH)}…`;
}

/** An uploaded picture has no name, and the picture of products without one is none. */
function imageText({ t }: I18n, image: string): string {
  if (image === NO_PICTURE) return '—';
  return pictureHashOf(image) ? t('products.uploaded') : image;
}

/** Returns the name of a language in the locale of the page. */
export function languageName({ locale }: I18n, language: Locale): string {
  return new Intl.DisplayNames(locale, { type: 'language' }).of(language) ?? language;
}
