/** Input as people give it: key by key, from the clipboard, or filled in by the browser. */
import type { Locator, Page } from 'playwright-core';

/** Puts a text into a field, in place of what the field holds. */
export type Entry = (field: Locator, text: string) => Promise<void>;

/** The screens on which people type. */
export const SCREENS = {
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
  desktop: { viewport: { width: 1280, height: 800 } },
} as const;

/** The screens of steps whose result does not depend on the layout. `npm run test:all` takes the steps on each screen. */
export const SCREENS_OF_THIS_RUN =
  process.env['ALL_SCREENS'] === 'on' ? (['phone', 'desktop'] as const) : (['phone'] as const);

/** Writes a text at once. `typeKeys` takes twenty times as long. */
export const typeInto: Entry = (field, text) => field.fill(text);

/** Types key by key. */
export const typeKeys: Entry = async (field, text) => {
  await field.selectText();
  await field.pressSequentially(text);
};

/** Pastes from the clipboard. The browser context must grant access to it. */
export const pasteInto: Entry = async (field, text) => {
  await field.page().evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
  await field.selectText();
  await field.press('Control+V');
};

/** Sets the value and dispatches the events that browsers dispatch when they fill in stored data. */
export const autofill: Entry = async (field, text) => {
  await field.evaluate((input, value) => {
    Object.assign(input, { value });
    for (const type of ['input', 'change']) input.dispatchEvent(new Event(type, { bubbles: true }));
  }, text);
};

/** Enters each text into the field with its id, at once unless another entry is given. */
export async function enterForm(page: Page, texts: Readonly<Record<string, string>>, enter = typeInto): Promise<void> {
  for (const [id, text] of Object.entries(texts)) await enter(page.locator(`#${id}`), text);
}
