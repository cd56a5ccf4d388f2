import type { I18n } from '../../locales/i18n.js';
import type { FieldError } from '../../web/field-error.js';
import type { RequestContext } from '../../web/request-context.js';
import type { SettingsFilePart } from '../../web/services.js';
import { labelOf } from '../shop-settings/setting-values.js';
import { settingsFilePath } from './paths.js';
import { type FileSettingProblem, SETTINGS_FILE_LIMIT } from './settings-file.js';

const RESULTS = {
  changed: 'shopSettings.outcomes.changed',
  unchanged: 'shopSettings.outcomes.unchanged',
  changed_meanwhile: 'settingsFile.outcomes.changed_meanwhile',
  sample: 'settingsFile.outcomes.sample',
  busy: 'settingsFile.outcomes.busy',
  refused: 'settingsFile.outcomes.refused',
} as const;

/** Builds what the page of the settings shows of the file. */
export function settingsFilePart({ t }: I18n, errors: readonly FieldError[]): SettingsFilePart {
  const problems = errors.map(({ message }) => message);
  const isOpen = problems.length > 0;
  const texts = { label: t('settingsFile.fileLabel'), hint: t('settingsFile.fileHint') };
  const file = { name: 'file', kind: 'file', accept: 'application/json,.json', ...texts };
  return {
    results: RESULTS,
    problems: isOpen ? { view: '/settings-file/views/problems', model: { problems } } : undefined,
    form: { view: '/settings-file/views/form', model: { href: settingsFilePath, isOpen, file } },
  };
}

/** Returns what is wrong in a file, by the names of its settings. */
export function problemText(context: RequestContext, { name, problem }: FileSettingProblem): string {
  const { t } = context;
  if (problem === 'file') return t('settingsFile.problems.noFile', { limit: SETTINGS_FILE_LIMIT / 1024 });
  if (problem === 'unknown') return t('settingsFile.problems.unknown', { name });
  return t('settingsFile.problems.wrong', { name, label: labelOf(context, name) });
}
