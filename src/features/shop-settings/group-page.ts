/** The model of views/shop-settings/group.ejs. */

import { errorList } from '../../web/form.js';
import type { RequestContext } from '../../web/request-context.js';
import { MAX_MEGAPIXELS, type PictureProblem } from '../pictures/process-picture.js';
import { FILE_LIMIT } from '../uploads/read-upload.js';
import { type SettingsGroup, settingsOf } from './groups.js';
import { groupPath, shopSettingsPaths } from './paths.js';
import { formVersion } from './save-settings.js';
import type { Setting } from './setting.js';
import { formerText, languageName, PICKER, shownValue, type TypedSettings } from './setting-values.js';

const LIMITS = { limit: FILE_LIMIT / (1024 * 1024), megapixels: MAX_MEGAPIXELS };

export type FileProblem = PictureProblem | 'missing' | 'too_big' | 'empty';

/** What the last POST of a group did not accept. */
export interface GroupForm extends Partial<TypedSettings> {
  readonly result?: 'changed_meanwhile' | 'sample' | 'busy';
  /** The version of the settings that the user saw. */
  readonly version?: string;
  readonly picture?: { readonly name: string; readonly problem: FileProblem };
}

export function groupPage(context: RequestContext, group: SettingsGroup, form: GroupForm) {
  const { t, config } = context;
  const settings = settingsOf(group, config.locales);
  const fields = settings.filter(({ kind }) => kind !== 'picture').map((each) => fieldOf(context, each, form));
  const pictures = settings.filter(({ kind }) => kind === 'picture').map((each) => pictureOf(context, each, form));
  return {
    action: groupPath(group),
    pictureAction: shopSettingsPaths.picture,
    shopHref: shopSettingsPaths.shop,
    version: formVersion(context, form.version, form.result === 'changed_meanwhile'),
    title: t(`shopSettings.groups.${group.id}`),
    fields: fields.filter(({ lang }) => lang === undefined),
    locales: config.locales
      .map((lang) => ({ label: languageName(context, lang), fields: fields.filter((each) => each.lang === lang) }))
      .filter((each) => each.fields.length > 0),
    pictures,
    errors: errorList(Object.fromEntries([...fields, ...pictures].map(({ id, error }) => [id, error]))),
  };
}

function fieldOf(context: RequestContext, setting: Setting, { typed = {}, problems = {}, result }: GroupForm) {
  const { t } = context;
  const { name, kind, locale } = setting;
  const shown = shownValue(context, setting);
  const value = typed[name] ?? shown;
  const problem = problems[name];
  const label = setting.label(t);
  const former = 'isRequired' in setting ? formerText(context, setting) : undefined;
  const hints = [
    setting.hint?.(t),
    former && t('shopSettings.former', { value: former }),
    result === 'changed_meanwhile' && value !== shown && t('shopSettings.now', { value: shown }),
  ];
  return {
    ...{ id: name, name, kind, label, value, lang: locale },
    type: TYPES[kind as keyof typeof TYPES] ?? 'text',
    inputMode: kind === 'number' ? 'numeric' : undefined,
    hint: hints.filter(Boolean).join(' '),
    picker: kind === 'color' ? { name: `${name}.${PICKER}`, value: shown } : undefined,
    error:
      problem && t(`shopSettings.problems.${problem}`, { label, limit: '', min: '', max: '', ...limitsOf(setting) }),
  };
}

/** Keyboards of phones. */
const TYPES = { email: 'email', phone: 'tel', link: 'url' } as const;

function limitsOf(setting: Setting): Readonly<Record<string, number>> {
  if ('limit' in setting) return { limit: setting.limit };
  return 'max' in setting ? { min: setting.min, max: setting.max } : {};
}

function pictureOf(context: RequestContext, setting: Setting, { picture }: GroupForm) {
  const { t, storedSettings } = context;
  const problem = picture?.name === setting.name ? picture.problem : undefined;
  return {
    id: `file-${setting.name}`,
    name: setting.name,
    label: setting.label(t),
    hint: [setting.hint?.(t), t('pictures.fileHint', LIMITS)].filter(Boolean).join(' '),
    image: shownValue(context, setting),
    isChanged: storedSettings.has(setting.name),
    error: problem && t(`pictures.problems.${problem}`, LIMITS),
  };
}
