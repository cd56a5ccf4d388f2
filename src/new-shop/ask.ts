/** The questions, one after the other; an empty answer is the one in brackets. */
import type { Answers } from './answers.js';
import { type NewShopOptions, readLanguages, readMoney, readName, readWays } from './options.js';

/** Asks one question and resolves with what was typed. */
export type AskLine = (question: string) => Promise<string>;

/** Asks for what the options do not tell; what is answered wrongly is asked again. */
export async function askAnswers(
  askLine: AskLine,
  options: NewShopOptions,
  present: Answers,
): Promise<Answers> {
  return {
    name: options.name ?? (await ask(askLine, { says: 'Name of the shop', now: present.name }, readName)),
    money: options.money ?? (await ask(askLine, { says: MONEY, now: present.money }, readMoney)),
    languages:
      options.languages ??
      (await ask(askLine, { says: LANGUAGE, now: present.languages.join() }, readLanguages)),
    ways: options.ways ?? (await ask(askLine, { says: WAYS, now: present.ways.join() }, readWays)),
  };
}

const MONEY = 'Amounts: symbol ($1,234.50) or code ($1,234.50 MXN)';
const LANGUAGE = 'Languages, the first for whoever asks for neither: es-MX, en, es-MX,en or en,es-MX';
const WAYS = 'Ways to pay: hosted (the page of the service), card (your own page), or hosted,card';

async function ask<T>(
  askLine: AskLine,
  question: { readonly says: string; readonly now: string },
  read: (text: string) => T,
): Promise<T> {
  for (;;) {
    const typed = await askLine(`${question.says} [${question.now}]: `);
    try {
      return read(typed.trim() === '' ? question.now : typed);
    } catch (error) {
      await askLine(
        `${String(error instanceof Error ? error.message : error).replace(/^--\w+ /, 'It ')}. Enter to go on. `,
      );
    }
  }
}
