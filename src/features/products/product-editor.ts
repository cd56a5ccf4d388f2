import type { I18n } from '../../locales/i18n.js';
import type { Product } from '../../shop/rules/product.js';
import type { ProductEditor } from '../../web/services.js';
import { buildGroupForm } from './group-form.js';
import { saveGroup } from './save-group.js';

/** Results at the page of a product. The redirect carries the code in its query string, never a text. */
const RESULTS = ['created', 'hidden'] as const;

export const productEditor: ProductEditor = { form: buildGroupForm, save: saveGroup, resultText };

function resultText({ t }: I18n, code: string, product?: Product): string | undefined {
  if (!product) return code === 'deleted' ? t('products.outcomes.deleted') : undefined;
  const result = RESULTS.find((each) => each === code);
  if (result === 'created' && !product.visible) return t('products.outcomes.created_hidden');
  return result && t(`products.outcomes.${result}`);
}
