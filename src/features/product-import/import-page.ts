/** The model of src/features/product-import/views/import.ejs. */
import { type FileProblem, MAX_PROBLEMS } from '../../catalog/file-problems.js';
import type { ImportChange } from '../../catalog/plan-import.js';
import { requiredColumns } from '../../catalog/product-cells.js';
import type { Texts } from '../../shop/rules/locale.js';
import { NO_PICTURE } from '../../shop/rules/picture.js';
import { errorList } from '../../web/form.js';
import type { RequestContext } from '../../web/request-context.js';
import { changedFields } from '../products/product-history.js';
import type { PreviewResult } from './import-upload.js';
import { productImportPaths } from './paths.js';

const MEGABYTE = 1024 * 1024;
/** In bytes. 10,000 products have about 3 MB. */
export const IMPORT_LIMIT = 8 * MEGABYTE;
const MAX_SHOWN = 50;
const KINDS = ['created', 'changed', 'hidden'] as const;

/** The posted options with what was found in the file. */
export interface ImportForm {
  readonly stock?: boolean;
  readonly hideMissing?: boolean;
  readonly fileProblem?: 'missing' | 'empty' | 'too_big';
  /** The first ones. */
  readonly problems?: readonly FileProblem[];
  readonly problemCount?: number;
  readonly preview?: Preview;
  readonly result?: 'applied' | 'changed_meanwhile' | 'expired' | 'busy' | undefined;
}

interface Preview {
  readonly fingerprint: string;
  readonly unchanged: number;
  readonly otherStock: number;
  readonly groups: readonly {
    readonly kind: (typeof KINDS)[number];
    readonly count: number;
    /** The first ones. */
    readonly changes: readonly { readonly id: string; readonly name: Texts; readonly detail: ImportChange['detail'] }[];
  }[];
}

/** Returns what the page shows of a preview. */
export function previewForm(found: PreviewResult): Pick<ImportForm, 'problems' | 'problemCount' | 'preview'> {
  if (!found.ok) return { problems: found.problems.slice(0, MAX_SHOWN), problemCount: found.problems.length };
  const { fingerprint, unchanged, otherStock } = found;
  const groups = KINDS.map((kind) => {
    const changes = found.changes.filter((change) => change.kind === kind);
    const first = changes.slice(0, MAX_SHOWN);
    const shown = first.map(({ product: { id, name }, detail }) => ({ id, name, detail }));
    return { kind, count: changes.length, changes: shown };
  });
  return { preview: { fingerprint, unchanged, otherStock, groups } };
}

export function importPage(context: RequestContext, form: ImportForm) {
  const { t, config } = context;
  const limits = { limit: IMPORT_LIMIT / MEGABYTE };
  const { problems = [], problemCount = 0, fileProblem, result } = form;
  const texts = problems.map((problem) => problemLine(context, problem));
  const [onlyOne] = problemCount === 1 ? texts : [];
  const error = fileProblem
    ? t(`productImport.${fileProblem}`, limits)
    : (onlyOne ?? (problemCount > 0 ? refusedText(context, problemCount) : undefined));
  return {
    paths: productImportPaths,
    result: result && t(`productImport.outcomes.${result}`),
    isDone: result === 'applied',
    errors: errorList({ file: error }),
    file: {
      name: 'file',
      kind: 'file',
      label: t('productImport.file'),
      hint: t('productImport.fileHint', limits),
      error,
    },
    problems: onlyOne ? [] : texts,
    moreProblems: moreText(context, problemCount - texts.length),
    columnsHint: t('productImport.columnsHint', {
      columns: requiredColumns(config.locales[0]).join(', '),
      picture: NO_PICTURE,
    }),
    stock: form.stock === true,
    hideMissing: form.hideMissing === true,
    preview: form.preview && previewSection(context, form.preview),
  };
}

function previewSection(context: RequestContext, { fingerprint, unchanged, otherStock, groups }: Preview) {
  const { t, text } = context;
  const filled = groups.filter(({ count }) => count > 0);
  return {
    fingerprint,
    isEmpty: filled.length === 0,
    unchanged: unchanged > 0 ? t('productImport.unchanged', { count: unchanged }) : undefined,
    otherStock: otherStock > 0 ? t('productImport.otherStock', { count: otherStock }) : undefined,
    groups: filled.map(({ kind, count, changes }) => ({
      isOpen: kind === 'changed',
      label: t(`productImport.${kind}`, { count }),
      more: moreText(context, count - changes.length),
      changes: changes.map(({ id, name, detail }) => ({
        id,
        name: text(name),
        fields: kind === 'changed' ? changedFields(context, detail) : [],
      })),
    })),
  };
}

function refusedText({ t }: RequestContext, count: number): string {
  return t(count < MAX_PROBLEMS ? 'productImport.refused' : 'productImport.refusedAtLeast', { count });
}

function moreText({ t }: RequestContext, count: number): string | undefined {
  return count > 0 ? t('productImport.more', { count }) : undefined;
}

/** Returns a problem as a line, as `Fila 3, price: "gratis" no es un precio en pesos`. */
function problemLine({ t }: RequestContext, { code, values = {}, row, place, column, value }: FileProblem): string {
  const rowText = row && t('productImport.row', { row });
  const where = [rowText, place && t('productImport.column', { place }), column].filter(Boolean).join(', ');
  const text = t(`productImport.fileProblems.${code}`, values);
  return [where && `${where}:`, value && `"${value}"`, text].filter(Boolean).join(' ');
}
