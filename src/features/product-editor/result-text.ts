import type { I18n } from '../../locales/i18n.js';
import type { Product } from '../../shop/rules/product.js';

/** Results at the page of a product. The redirect carries the code in its query string, never a text. */
const RESULTS = ['created', 'hidden'] as const;

/** Returns the text of a result at the page of a product, or without one at the list. */
export function resultText({ t }: I18n, code: string, product?: Product): string | undefined {
  if (!product) return code === 'deleted' ? t('productEditor.outcomes.deleted') : undefined;
  const result = RESULTS.find((each) => each === code);
  if (result === 'created' && !product.visible) return t('productEditor.outcomes.created_hidden');
  return result && t(`productEditor.outcomes.${result}`);
}
