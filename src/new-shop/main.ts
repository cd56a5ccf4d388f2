/** `npm run new-shop`: makes this copy a merchant's own, by a few answers. */
import { createInterface, type Interface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import { type Answers, presentAnswers } from './answers.js';
import { type AskLine, askAnswers } from './ask.js';
import { type NewShopOptions, readOptions, USAGE } from './options.js';
import { planShop } from './plan.js';
import { type Changes, changesOf, readProject, writeChanges } from './project.js';
import { NEXT, tellAnswers, tellChanges } from './tell.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

async function main(): Promise<void> {
  const options = optionsOrExit();
  if (options.help) return console.log(USAGE);
  const terminal = openTerminal(options);
  try {
    await makeShop(options, terminal && ((question) => terminal.question(question)));
  } finally {
    terminal?.close();
  }
}

/** Nobody is asked who said yes beforehand, or only wants to see. */
function openTerminal({ yes, dryRun }: NewShopOptions): Interface | undefined {
  if (yes || (dryRun && !process.stdin.isTTY)) return undefined;
  if (!process.stdin.isTTY) throw new Error('nobody is there to answer: tell all by options, and --yes');
  return createInterface({ input: process.stdin, output: process.stdout });
}

async function makeShop(options: NewShopOptions, askLine: AskLine | undefined): Promise<void> {
  const files = readProject(root);
  const present = presentAnswers(files);
  const answers = askLine
    ? await askAnswers(askLine, options, present)
    : { ...present, ...answersIn(options) };
  const changes = changesOf(root, files, planShop(files, answers));
  console.log(`${tellAnswers(answers)}\n\n${tellChanges(changes, options.dryRun)}`);
  if (options.dryRun || isNothing(changes)) return;
  if (askLine && !/^y(?:es)?$/i.test(await askLine('\nDo it? [y/N] ')))
    return console.log('Nothing was changed.');
  writeChanges(root, changes);
  console.log(NEXT);
}

function answersIn({ name, money, languages, ways }: NewShopOptions): Partial<Answers> {
  return {
    ...(name !== undefined && { name }),
    ...(money && { money }),
    ...(languages && { languages }),
    ...(ways && { ways }),
  };
}

function isNothing({ written, removed }: Changes): boolean {
  return written.size + removed.length === 0;
}

function optionsOrExit(): NewShopOptions {
  try {
    return readOptions(process.argv.slice(2));
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n${USAGE}`);
    process.exit(2);
  }
}

try {
  await main();
} catch (error) {
  console.error(`${error instanceof Error ? error.message : error}\nNothing was changed.`);
  process.exit(1);
}
