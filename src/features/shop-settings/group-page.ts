/** The form of a group: its fields, and the model of src/features/shop-settings/views/group.ejs. */
import type { Field, FormFields, RefusedForm } from '../../web/form.js';
import { type Fields, readText } from '../../web/form-body.js';
import { fieldModels, versionOf } from '../../web/form-page.js';
import type { RequestContext } from '../../web/request-context.js';
import { MAX_MEGAPIXELS } from '../pictures/process-picture.js';
import { FILE_LIMIT } from '../uploads/read-upload.js';
import { type SettingsGroup, settingsOf } from './groups.js';
import { groupPath, shopSettingsPaths } from './paths.js';
import type { SettingValues } from './repository.js';
import { readSetting, type Setting } from './setting.js';
import { defaultOf, formerText, languageName, shownValue } from './setting-values.js';

export const FILE_LIMITS = { limit: FILE_LIMIT / (1024 * 1024), megapixels: MAX_MEGAPIXELS };

/** What the browser shows as a color beside the text of the color. */
const COLOR = 'brand.color';
const PICKER = `${COLOR}.picker`;

const KINDS: Partial<Record<Setting['kind'], Field<unknown>['kind']>> = {
  multiline: 'multiline',
  email: 'email',
  phone: 'tel',
  link: 'url',
  switch: 'checkbox',
};

/** The fields of a group. Its pictures have forms of their own. */
export function groupFields(context: RequestContext, group: SettingsGroup): FormFields {
  const settings = settingsOf(group, context.config.locales).filter(({ kind }) => kind !== 'picture');
  return Object.fromEntries(settings.map((each) => [each.name, fieldOf(context, each)]));
}

/** The value is `null` where the default is typed. */
function fieldOf(context: RequestContext, setting: Setting): Field<SettingValues[string]> {
  const { kind, locale } = setting;
  const former = 'isRequired' in setting ? formerText(context, setting) : undefined;
  const read = (typed: string) => readSetting(setting, kind === 'switch' ? typed === 'yes' : typed);
  return {
    kind: KINDS[kind],
    label: (t) => setting.label(t),
    hint: (t) => joined([setting.hint?.(t), former && t('shopSettings.former', { value: former })]),
    lang: locale,
    inputMode: kind === 'number' ? 'numeric' : undefined,
    parse(typed) {
      const reading = read(typed);
      if ('problem' in reading) return undefined;
      return reading.value === defaultOf(context, setting) ? null : reading.value;
    },
    problem(t, typed) {
      const reading = read(typed);
      const problem = 'problem' in reading ? reading.problem : 'type';
      const limits = { limit: '', min: '', max: '', ...limitsOf(setting) };
      return t(`shopSettings.problems.${problem}`, { label: setting.label(t), ...limits });
    },
  };
}

function joined(sentences: readonly (string | undefined)[]): string {
  return sentences.filter(Boolean).join(' ');
}

function limitsOf(setting: Setting): Readonly<Record<string, number>> {
  if ('limit' in setting) return { limit: setting.limit };
  return 'max' in setting ? { min: setting.min, max: setting.max } : {};
}

/** Returns the posted fields. A color that was chosen in the browser's own picker counts, unless another one is typed. */
export function postedSettings({ brandColor }: RequestContext, posted: Fields): Fields {
  const picked = readText(posted[PICKER]);
  const isTyped = readText(posted[COLOR]) !== brandColor.toLowerCase();
  return picked === '' || isTyped ? posted : { ...posted, [COLOR]: picked };
}

export function groupPage(context: RequestContext, group: SettingsGroup, refused: RefusedForm | undefined) {
  const { t, config } = context;
  const settings = settingsOf(group, config.locales);
  const stored = Object.fromEntries(settings.map((each) => [each.name, shownValue(context, each)]));
  const isChanged = (name: string, value: string) =>
    refused?.status === 409 && refused.result === undefined && value !== stored[name];
  const fields = fieldModels(t, groupFields(context, group), refused, stored).map((field) => {
    const { name, label, hint, value } = field;
    const now = isChanged(name, value) ? t('shopSettings.now', { value: stored[name] ?? '' }) : undefined;
    const picker = { name: PICKER, value: stored[name], label: t('shopSettings.picker', { label }) };
    return { ...field, hint: joined([hint, now]), picker: name === COLOR ? picker : undefined };
  });
  return {
    action: groupPath(group),
    pictureAction: shopSettingsPaths.picture,
    shopHref: shopSettingsPaths.shop,
    version: versionOf(refused, context.settingsVersion),
    title: t(`shopSettings.groups.${group.id}`),
    fields: fields.filter(({ lang }) => lang === undefined),
    locales: config.locales
      .map((lang) => ({ label: languageName(context, lang), fields: fields.filter((each) => each.lang === lang) }))
      .filter((each) => each.fields.length > 0),
    pictures: settings.filter(({ kind }) => kind === 'picture').map((each) => pictureOf(context, each, refused)),
  };
}

/** Id of the field for the file of a picture. */
export function fileField(name: string): string {
  return `file-${name}`;
}

function pictureOf(context: RequestContext, setting: Setting, refused: RefusedForm | undefined) {
  const { t, storedSettings } = context;
  const { name } = setting;
  const label = setting.label(t);
  const id = fileField(name);
  return {
    name,
    label,
    image: shownValue(context, setting),
    isChanged: storedSettings.has(name),
    file: {
      id,
      name: 'file',
      kind: 'file',
      accept: 'image/jpeg,image/png,image/webp',
      label: t('pictures.file'),
      labelOf: label,
      hint: joined([setting.hint?.(t), t('pictures.fileHint', FILE_LIMITS)]),
      error: refused?.errors.find(({ field }) => field === id)?.message,
    },
  };
}
