import type { Response } from 'express';
import { readText } from '../../web/form-body.js';
import { contextOf, type RequestContext } from '../../web/request-context.js';
import type { SettingsFilePart } from '../../web/services.js';
import { findAnswer } from '../../web/typed-form.js';
import { shopSettingsPaths } from '../shop-settings/paths.js';
import { labelOf } from '../shop-settings/setting-values.js';
import { settingsFilePath } from './paths.js';
import { type FileSettingProblem, SETTINGS_FILE_LIMIT } from './settings-file.js';

/** An import that was not accepted. */
export type ImportForm =
  | { readonly result: 'changed_meanwhile' | 'sample' | 'busy' }
  | { readonly result: 'refused'; readonly problems: readonly FileSettingProblem[] };

const RESULTS = ['changed', 'unchanged'] as const;
const STATUSES = { changed_meanwhile: 409, sample: 409, busy: 429, refused: 422 } as const;

/** Builds what the page of the settings shows of the file. */
export async function settingsFilePart(res: Response): Promise<SettingsFilePart> {
  const context = contextOf(res);
  const { t } = context;
  const form = await findAnswer<ImportForm>(res, shopSettingsPaths.shop);
  const result = RESULTS.find((each) => each === readText(res.req.query['result']));
  const problems = form?.result === 'refused' ? form.problems.map((each) => problemText(context, each)) : undefined;
  return {
    result: form ? t(`settingsFile.outcomes.${form.result}`) : result && t(`shopSettings.outcomes.${result}`),
    isDone: !form,
    status: form && STATUSES[form.result],
    problems: problems && { view: '/settings-file/problems', model: { problems } },
    form: {
      view: '/settings-file/form',
      model: { href: settingsFilePath, isOpen: problems !== undefined },
    },
  };
}

/** Returns what is wrong in a file, by the names of its settings. */
function problemText(context: RequestContext, { name, problem }: FileSettingProblem): string {
  const { t } = context;
  if (problem === 'file') return t('settingsFile.problems.noFile', { limit: SETTINGS_FILE_LIMIT / 1024 });
  if (problem === 'unknown') return t('settingsFile.problems.unknown', { name });
  return t('settingsFile.problems.wrong', { name, label: labelOf(context, name) });
}
