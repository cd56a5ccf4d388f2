/** The answers that `--yes` takes, and that the questions propose. */
import dotenv from 'dotenv';
import type { Environment } from '../../src/config/settings.js';
import { brand } from '../../src/locales/brand.js';
import { FLOW_IDS } from '../../src/shop/rules/flows.js';
import { LOCALES } from '../../src/shop/rules/locales.js';
import { orderPrefixOf, replacesSample, SAMPLE_PROBLEM, type ShopAnswers, sampleAnswers } from './files.js';
import { ASKED_SETTINGS, type SettingAnswers, settingProblem } from './gateway-settings.js';
import type { Options } from './options.js';
import { withoutParts } from './parts.js';

export interface Answers {
  readonly shop: ShopAnswers;
  readonly settings: SettingAnswers;
  readonly clearsSample: boolean;
}

/** Returns the answers of options and environment, and for absent ones the values of the shop without the removed parts. */
export function defaultAnswers(
  options: Options,
  removed: readonly string[],
  { environment, color }: { readonly environment: Environment; readonly color: string },
): Answers {
  const settings = { ...settingsIn(environment), ...choicesOf(options, removed) };
  const reset = 'LOCALES' in settings && { DEFAULT_LOCALE: '' };
  return {
    shop: shopAnswers({ color, ...options }),
    settings: { ...settings, ...reset },
    clearsSample: options['clear-sample'],
  };
}

function shopAnswers(options: Options & { readonly color: string }): ShopAnswers {
  const name = options.name ?? brand.name;
  return {
    name,
    color: options.color,
    legalName: options['legal-name'] ?? brand.merchant.legalName,
    address: options.address ?? brand.merchant.address,
    phone: options.phone ?? brand.merchant.phone,
    whatsapp: options.whatsapp ?? brand.whatsapp,
    email: options.email ?? brand.merchant.email,
    orderPrefix: options['order-prefix'] ?? proposePrefix(name),
  };
}

/** A shop with its own name keeps its prefix. */
export function proposePrefix(name: string): string {
  return replacesSample(brand, { name }) ? orderPrefixOf(name) : brand.orderPrefix;
}

/** Throws an error if an option is a sample, which production refuses. Without the option the sample stays until then. */
export function refuseSamples({ 'legal-name': legalName, address, phone, email }: Options): void {
  const given = Object.entries({ legalName, address, phone, email }).filter(([, value]) => value !== undefined);
  const samples = sampleAnswers(Object.fromEntries(given));
  if (samples.length > 0) throw new Error(samples.map((name) => `${optionOf(name)} ${SAMPLE_PROBLEM}`).join('\n'));
}

export function optionOf(name: unknown): string {
  return `--${String(name).replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Returns payment flows and locales: those of the options, otherwise what a removal leaves. */
function choicesOf({ flows, locales }: Options, removed: readonly string[]): SettingAnswers {
  const keptFlows = withoutParts(FLOW_IDS, removed);
  const keptLocales = withoutParts(LOCALES, removed);
  return {
    ...(keptFlows.length < FLOW_IDS.length && { PAYMENT_FLOWS: keptFlows.join() }),
    ...(keptLocales.length < LOCALES.length && { LOCALES: keptLocales.join() }),
    ...(flows !== undefined && { PAYMENT_FLOWS: flows }),
    ...(locales !== undefined && { LOCALES: locales }),
  };
}

function settingsIn(environment: Environment): SettingAnswers {
  const given = ASKED_SETTINGS.flatMap((name) => {
    const value = environment[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const problems = given.flatMap(([name, value]) => {
    const problem = value === '' ? undefined : settingProblem(name, value);
    return problem === undefined ? [] : `${name}: ${problem}`;
  });
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return Object.fromEntries(given);
}

/** Notices go to the address for customers. A sample address gets none. */
export function merchantEmail({ email }: ShopAnswers): SettingAnswers {
  return sampleAnswers({ email }).length === 0 ? { MERCHANT_EMAIL: email } : {};
}

export interface Choices {
  readonly flows: readonly string[];
  /** The default first. */
  readonly locales: readonly string[];
}

/** Returns the payment flows and locales in the text of an `.env` file. */
export function choicesIn(envFile: string): Choices {
  const { PAYMENT_FLOWS, LOCALES: given, DEFAULT_LOCALE } = dotenv.parse(envFile);
  const listed = (text: string | undefined, all: readonly string[]) => text?.match(/[^\s,]+/g) ?? all;
  const locales = listed(given, LOCALES);
  const first = locales.filter((locale) => locale === DEFAULT_LOCALE);
  return { flows: listed(PAYMENT_FLOWS, FLOW_IDS), locales: [...new Set([...first, ...locales])] };
}
