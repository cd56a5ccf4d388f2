/** The pages, compiled once; each has a typed model. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ejs from 'ejs';
import type { BankModel, ReturningModel } from './bank-model.js';
import type { CheckoutModel } from './checkout-model.js';
import type { Frame } from './frame.js';
import type { StartModel } from './start-model.js';
import type { WireModel } from './wire-model.js';

/** A page that says one thing. */
export interface MessageModel {
  readonly title: string;
  readonly text: string;
  readonly tone: 'good' | 'calm' | 'bad';
  readonly link?: { readonly href: string; readonly label: string } | undefined;
}

interface Models {
  readonly bank: BankModel;
  readonly checkout: CheckoutModel;
  readonly message: MessageModel;
  readonly returning: ReturningModel;
  readonly start: StartModel;
  readonly wire: WireModel;
}

export type Render = <K extends keyof Models>(view: K, frame: Frame, model: Models[K]) => string;

const folder = fileURLToPath(new URL('../../views/simulator/', import.meta.url));
export const assetsFolder = fileURLToPath(new URL('../../public/simulator/', import.meta.url));

let compiled: ReturnType<typeof compileAll> | undefined;

/** Compiles every page when the first simulator of a process starts, so that a broken one is noticed then. */
export function loadViews(): Render {
  compiled ??= compileAll();
  const pages = compiled;
  return (view, frame, model) => pages[view]({ ...frame, view, link: undefined, ...model });
}

function compileAll() {
  return {
    bank: compile('bank'),
    checkout: compile('checkout'),
    message: compile('message'),
    returning: compile('returning'),
    start: compile('start'),
    wire: compile('wire'),
  };
}

function compile(view: keyof Models) {
  const filename = `${folder}${view}.ejs`;
  return ejs.compile(readFileSync(filename, 'utf8'), { filename, cache: true });
}
