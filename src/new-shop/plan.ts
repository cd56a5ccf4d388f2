import {
  type Answers,
  BRAND_FILE,
  brandLine,
  MONEY_FILE,
  type Money,
  PARTINGS,
  presentAnswers,
  SETTINGS_FILE,
  WAYS,
  withName,
} from './answers.js';
import type { Files } from './code/source.js';
import { GUIDE, GUIDE_TEST, withoutSection } from './documents.js';
import { applyEdits, type Edit } from './edit.js';
import { partWith } from './part-with.js';
import { withSettings } from './settings-file.js';

/**
 * The project as the answers want it, worked out in full before anything is written. What is so already stays byte for
 * byte. Throws when a way is wanted that the project does not have, or a file is not as it has to be.
 */
export function planShop(files: Files, answers: Answers): Map<string, string> {
  const present = presentAnswers(files);
  const missing = answers.ways.filter((way) => !present.ways.includes(way));
  if (missing.length > 0)
    throw new Error(
      `--ways: ${missing.join()} has been taken out of this project; start again from a new clone`,
    );
  const plan = new Map(files);
  if (answers.name !== present.name) rename(plan, present.name, answers.name);
  if (answers.money !== present.money) writeMoney(plan, answers.money);
  writeSettings(plan, answers, present);
  return WAYS.filter((way) => present.ways.includes(way) && !answers.ways.includes(way)).reduce(
    (project, way) => partWith(project, PARTINGS[way]),
    plan,
  );
}

const MONEY_SECTION = 'Another currency format';

/** The worked example of the guide begins with the name as it is. */
function rename(plan: Map<string, string>, from: string, to: string): void {
  plan.set(BRAND_FILE, withName(plan.get(BRAND_FILE) ?? '', to));
  const guide = plan.get(GUIDE);
  if (guide !== undefined)
    plan.set(
      GUIDE,
      guide.replace(`-${brandLine(from)}`, () => `-${brandLine(to)}`),
    );
}

const SYMBOL = {
  options: `{ style: 'currency', currency: CURRENCY }`,
  written: 'return money(locale).format(toPesosText(amount));',
  says: '/** `$1,499.00` in',
};
const CODE = {
  options: `{
      style: 'currency',
      currency: CURRENCY,
      currencyDisplay: 'narrowSymbol',
    }`,
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a text of code
  written: 'return `${money(locale).format(toPesosText(amount))} ${CURRENCY}`;',
  says: '/** `$1,499.00 MXN` in',
};

function writeMoney(plan: Map<string, string>, money: Money): void {
  const [from, to] = money === 'code' ? [SYMBOL, CODE] : [CODE, SYMBOL];
  const edits: readonly Edit[] = (['options', 'written', 'says'] as const).map((part) => ({
    path: MONEY_FILE,
    find: from[part],
    put: to[part],
  }));
  for (const [path, text] of applyEdits(plan, edits)) plan.set(path, text);
  const guide = plan.get(GUIDE);
  // Its worked example begins with the format as it was.
  if (!guide?.includes(`\n## ${MONEY_SECTION}\n`)) return;
  plan.set(GUIDE, withoutSection(guide, MONEY_SECTION));
  plan.delete(GUIDE_TEST);
}

/** Settings that are as the shop would take them anyway are not written. */
function writeSettings(plan: Map<string, string>, answers: Answers, present: Answers): void {
  const before = plan.get(SETTINGS_FILE) ?? '';
  const languages = answers.languages.join();
  const after = withSettings(before, {
    ...(answers.name !== present.name && { MAIL_FROM: `${answers.name} <tienda@localhost>` }),
    ...(languages !== present.languages.join() && { LANGUAGES: languages, DEFAULT_LOCALE: undefined }),
    ...(answers.ways.length < WAYS.length && /^WAYS_TO_PAY=/m.test(before) && { WAYS_TO_PAY: undefined }),
  });
  if (after !== before) plan.set(SETTINGS_FILE, after);
}
