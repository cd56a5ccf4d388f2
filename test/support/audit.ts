import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect } from '@jest/globals';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

/** Ends with a small value, because the browser would copy the whole library as the result. */
const axe = `${readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')};0`;

type Scheme = 'light' | 'dark';
type Rules = Partial<Record<Scheme, typeof WCAG | typeof CONTRAST_RULE>>;

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] as const;
const CONTRAST_RULE = { type: 'rule', values: ['color-contrast'] } as const;
/** Dark mode changes colors only, so only the contrast rule runs there. */
const RULES: Rules = { light: WCAG, dark: CONTRAST_RULE };
const CONTRAST: Rules = { light: CONTRAST_RULE, dark: CONTRAST_RULE };
/** `npm run test:all` also audits the states of the journeys in dark mode. */
const isAll = process.env['ALL_SCREENS'] === 'on';
const RULES_OF_THIS_RUN = isAll ? RULES : { light: WCAG };
/** Width of 320 CSS pixels, at which WCAG 1.4.10 (Reflow) forbids horizontal scrolling. */
const NARROW = { width: 320, height: 640 };
const WIDE = { width: 1280, height: 800 };

/**
 * Returns the violations of the rules of each color scheme on the current page, and whether it scrolls horizontally.
 * Returns `[]` if there are none. Leaves a wide window.
 */
async function audit(page: Page, rules: Rules): Promise<readonly string[]> {
  await page.evaluate(axe);
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    const runOnly = rules[colorScheme];
    if (runOnly === undefined) continue;
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const options = JSON.stringify({ runOnly, resultTypes: ['violations'] });
    const run = `axe.run(document, ${options}).then(({ violations }) => violations)`;
    const violations = await page.evaluate<AxeResults['violations']>(run);
    found.push(...violations.flatMap((violation) => describeViolation(violation, colorScheme)));
  }
  return [...found, ...(await findOverflow(page))];
}

async function findOverflow(page: Page): Promise<readonly string[]> {
  const found: string[] = [];
  for (const size of [NARROW, WIDE]) {
    await page.setViewportSize(size);
    const overflow = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'));
    if (overflow > 0) found.push(`scrolls horizontally by ${overflow} px at ${size.width} px`);
  }
  return found;
}

/** Returns the WCAG 2.2 AA violations of the current page in a narrow and in a wide window. */
export async function auditAtEachWidth(page: Page): Promise<readonly string[]> {
  await page.setViewportSize(NARROW);
  return [...(await audit(page, RULES)), ...(await audit(page, RULES))];
}

/** Expects that the current page meets WCAG 2.2 AA. */
export async function expectAccessible(page: Page): Promise<void> {
  expect([page.url(), await audit(page, RULES_OF_THIS_RUN)]).toEqual([page.url(), []]);
}

/** Expects it in `npm run test:all` only. For a state that differs little from one that is audited elsewhere. */
export async function expectAccessibleInAll(page: Page): Promise<void> {
  if (isAll) await expectAccessible(page);
}

/** Expects that the contrast of the current page meets WCAG 2.2 AA. For another color of a page that is audited elsewhere. */
export async function expectContrast(page: Page): Promise<void> {
  expect([page.url(), await audit(page, CONTRAST)]).toEqual([page.url(), []]);
}

/** Expects that the current page does not scroll horizontally when narrow. For another text of a page that is audited elsewhere. */
export async function expectReflow(page: Page): Promise<void> {
  expect([page.url(), await findOverflow(page)]).toEqual([page.url(), []]);
}

function describeViolation({ id, nodes }: AxeResults['violations'][number], colorScheme: string): readonly string[] {
  return nodes.map(({ html, failureSummary }) => `${id} (${colorScheme}): ${html} ${failureSummary}`);
}
