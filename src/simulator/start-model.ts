/** What the start page shows. */
import { type ShownCard, shownCards } from './checkout-model.js';
import type { Control } from './control.js';
import { faultLabel, presets } from './fault-presets.js';
import { type Call, calls } from './faults.js';
import { type Frame, moment, price } from './frame.js';
import { type ReplayModel, replayModel } from './replay-model.js';
import { testCards } from './test-cards.js';
import { webhookModes } from './webhooks.js';
import { sessionUrl } from './wire-session.js';
import type { Words } from './words-es.js';
import type { World } from './world.js';

export interface StartModel {
  readonly title: string;
  readonly shopUrl: string | undefined;
  readonly cards: readonly ShownCard[];
  readonly calls: readonly { readonly value: string; readonly label: string }[];
  readonly presets: readonly { readonly name: string; readonly label: string; readonly proves: string }[];
  readonly planned: readonly string[];
  /** What the form did that led here. */
  readonly done: Done | undefined;
  readonly settings: {
    readonly profile: string;
    readonly declineHttpStatus: number;
    readonly webhooks: string;
  };
  readonly webhookModes: readonly string[];
  readonly sessions: readonly Row[];
  readonly payments: readonly Row[];
  readonly ledger: readonly Row[];
  readonly deliveries: readonly DeliveryRow[];
  readonly replay: ReplayModel | undefined;
}

interface Done {
  readonly what: string;
  readonly text: string;
  readonly tone: 'calm' | 'bad';
}

/** What a form may have done, each with its words. */
export const doings = {
  planned: 'donePlanned',
  unplanned: 'doneNothing',
  cleared: 'doneCleared',
  saved: 'doneSaved',
  advanced: 'doneAdvanced',
  reset: 'doneReset',
  sent: 'doneSent',
  unsent: 'doneUnsent',
} as const satisfies Readonly<Record<string, keyof Words>>;

export type Doing = keyof typeof doings;

const callWords: Readonly<Record<Call, keyof Words>> = {
  'create-session': 'callCreateSession',
  'read-session': 'callReadSession',
  process: 'callProcess',
  'read-transaction': 'callReadTransaction',
  'tokenization-auth': 'callTokenizationAuth',
  tokenize: 'callTokenize',
};

interface Row {
  readonly id: string;
  readonly href?: string;
  readonly reference: string;
  readonly amount: string;
  readonly state: string;
  readonly at: string;
}

interface DeliveryRow {
  readonly id: string;
  readonly event: string;
  readonly state: string;
  readonly attempts: string;
  readonly at: string;
}

interface Seen {
  readonly world: World;
  readonly control: Control;
}

const shown = 20;

/** Where the shop is, as far as its webhook address tells. */
export function shopAddress({ webhooks }: World): string | undefined {
  return webhooks.url === undefined ? undefined : new URL(webhooks.url).origin;
}

/** `done` is what the page's address says of the form that led here. */
export function startModel(seen: Seen, frame: Frame, done: unknown): StartModel {
  const { world, control } = seen;
  const { w, lang } = frame;
  const { profile, declineHttpStatus } = world.settings;
  return {
    title: w.simulator,
    shopUrl: shopAddress(world),
    cards: shownCards(testCards, lang),
    calls: calls.map((call) => ({ value: call, label: w[callWords[call]] })),
    presets: presets.map(({ name, label, proves }) => ({ name, label: w[label], proves: w[proves] })),
    planned: control.faults().map(({ call, fault, left }) => {
      const times = left === Number.POSITIVE_INFINITY ? w.always : `× ${left}`;
      return `${w[callWords[call]]}: ${faultLabel(fault, w)} (${times})`;
    }),
    done: doneOf(done, w),
    settings: { profile, declineHttpStatus, webhooks: world.webhooks.mode },
    webhookModes,
    ...rows(seen, frame),
    replay: world.replay && replayModel(world.replay, w),
    deliveries: latest(control.deliveries()).map((delivery) => ({
      ...delivery,
      attempts: delivery.attempts.map(({ result }) => String(result)).join(', '),
      at: moment(delivery.at, lang),
    })),
  };
}

function rows({ world, control }: Seen, { lang }: Frame) {
  return {
    sessions: latest(control.sessions()).map(
      ({ id, request, status, transactionStatus, createdAt }): Row => ({
        id,
        href: sessionUrl(world, id),
        reference: request.external_id ?? '',
        amount: price(request.amount_total, lang),
        state: `${status} · ${transactionStatus}`,
        at: moment(createdAt, lang),
      }),
    ),
    payments: latest(control.payments()).map(
      ({ id, reference, amountMinor, status, createdAt }): Row => ({
        id,
        reference,
        amount: price(amountMinor, lang),
        state: status,
        at: moment(createdAt, lang),
      }),
    ),
    ledger: latest(control.ledger()).map(
      ({ id, reference, amountMinor, kind, at }): Row => ({
        id,
        reference: reference ?? '',
        amount: price(amountMinor, lang),
        state: kind,
        at: moment(at, lang),
      }),
    ),
  };
}

function doneOf(what: unknown, w: Words): Done | undefined {
  if (typeof what !== 'string' || !Object.hasOwn(doings, what)) return undefined;
  // The table has it, so it is one of its names.
  const doing = what as Doing;
  return { what: doing, text: w[doings[doing]], tone: doing.startsWith('un') ? 'bad' : 'calm' };
}

function latest<T>(records: readonly T[]): readonly T[] {
  return records.slice(-shown).reverse();
}
