/** What the start page shows. */
import { type ShownCard, shownCards } from './checkout-model.js';
import type { Control } from './control.js';
import { presets } from './fault-presets.js';
import { calls } from './faults.js';
import { type Frame, moment, price } from './frame.js';
import { testCards } from './test-cards.js';
import { webhookModes } from './webhooks.js';
import { sessionUrl } from './wire-session.js';
import type { World } from './world.js';

export interface StartModel {
  readonly title: string;
  readonly shopUrl: string | undefined;
  readonly cards: readonly ShownCard[];
  readonly calls: readonly string[];
  readonly presets: readonly { readonly name: string; readonly label: string; readonly proves: string }[];
  readonly planned: readonly string[];
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
}

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

const shown = 20;

/** Where the shop is, as far as its webhook address tells. */
export function shopAddress({ webhooks }: World): string | undefined {
  return webhooks.url === undefined ? undefined : new URL(webhooks.url).origin;
}

export function startModel(world: World, control: Control, frame: Frame): StartModel {
  const { w, lang } = frame;
  const { profile, declineHttpStatus } = world.settings;
  return {
    title: w.simulator,
    shopUrl: shopAddress(world),
    cards: shownCards(testCards, lang),
    calls,
    presets: presets.map(({ name, label, proves }) => ({ name, label: w[label], proves: w[proves] })),
    planned: control.faults().map(({ call, fault, left }) => `${call}: ${fault.kind} × ${left}`),
    settings: { profile, declineHttpStatus, webhooks: world.webhooks.mode },
    webhookModes,
    ...rows(world, control, frame),
    deliveries: latest(control.deliveries()).map((delivery) => ({
      ...delivery,
      attempts: delivery.attempts.map(({ result }) => String(result)).join(', '),
      at: moment(delivery.at, lang),
    })),
  };
}

function rows(world: World, control: Control, { lang }: Frame) {
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

function latest<T>(records: readonly T[]): readonly T[] {
  return records.slice(-shown).reverse();
}
