/** What the hosted page shows. */
import { bankAddress } from './challenges.js';
import { type Frame, grouped, hostOf, type Lang, moment, price } from './frame.js';
import type { Attempt, Session } from './model.js';
import { processorCards, type TestCard, testCards } from './test-cards.js';
import type { World } from './world.js';

type FormField = 'card_number' | 'cardholder_name' | 'expiry' | 'cvv';
export type FieldErrors = Partial<Readonly<Record<FormField, string>>>;

export interface CheckoutModel {
  readonly title: string;
  readonly action: string;
  readonly cancelAction: string;
  /** Whom the shopper pays, as far as the way back tells; the interface gives a merchant no name. */
  readonly shop: string | undefined;
  readonly reference: string | undefined;
  readonly items: readonly { readonly name: string; readonly quantity: number; readonly total: string }[];
  readonly total: string;
  readonly expires: { readonly iso: string; readonly text: string; readonly secondsLeft: number };
  readonly notice: Notice | undefined;
  readonly errors: FieldErrors;
  readonly values: { readonly cardholder_name: string; readonly expiry: string };
  readonly cards: readonly ShownCard[];
  readonly moreCards: readonly ShownCard[];
}

interface Notice {
  readonly tone: 'bad' | 'calm';
  readonly title: string;
  readonly text: string;
  readonly link?: { readonly href: string; readonly label: string };
}

export interface ShownCard {
  readonly number: string;
  readonly grouped: string;
  readonly outcome: string;
}

export interface CheckoutState {
  readonly errors: FieldErrors;
  readonly values: CheckoutModel['values'];
  /** The last try failed and left no record that could tell. */
  readonly failed: boolean;
}

export interface Viewer {
  readonly frame: Frame;
  readonly state: CheckoutState;
}

export function checkoutModel(world: World, session: Session, viewer: Viewer): CheckoutModel {
  const { frame, state } = viewer;
  const { lang, w, langQuery } = frame;
  const { request, expiresAt } = session;
  return {
    title: w.payTitle,
    action: `/checkout/${session.id}${langQuery}`,
    cancelAction: `/checkout/${session.id}/cancel${langQuery}`,
    shop: hostOf(request.return_url ?? request.success_url),
    reference: request.external_id,
    items: request.line_items.map(({ name, quantity, unit_price }) => ({
      name,
      quantity,
      total: price(quantity * unit_price, lang),
    })),
    total: price(request.amount_total, lang),
    expires: {
      iso: new Date(expiresAt * 1000).toISOString(),
      text: moment(expiresAt * 1000, lang),
      secondsLeft: Math.max(0, Math.ceil(expiresAt - world.now() / 1000)),
    },
    notice: noticeOf(world, session, viewer),
    errors: state.errors,
    values: state.values,
    cards: shownCards(testCards, lang),
    moreCards: shownCards(processorCards, lang),
  };
}

export function shownCards(cards: readonly TestCard[], lang: Lang): readonly ShownCard[] {
  return cards.map((card) => ({ number: card.number, grouped: grouped(card.number), outcome: card[lang] }));
}

function noticeOf(world: World, session: Session, { frame, state }: Viewer): Notice | undefined {
  const { w } = frame;
  const { failed, errors } = state;
  if (Object.keys(errors).length > 0) return undefined;
  if (failed) return { tone: 'bad', title: w.declinedTitle, text: w.processingError };
  const last = session.attempts.at(-1);
  if (last?.status === 'Declined') return { tone: 'bad', title: w.declinedTitle, text: declineText(last, w) };
  if (last?.status === 'Expired') return { tone: 'bad', title: w.declinedTitle, text: w.attemptExpired };
  if (last?.challengeId === undefined) return undefined;
  const link = { href: bankAddress(world, last.challengeId), label: w.toBank };
  return { tone: 'calm', title: w.waitingTitle, text: w.waitingText, link };
}

function declineText({ decline }: Attempt, w: Frame['w']): string {
  if (decline?.code === 'CH01') return w.declinedCH01;
  return decline?.code === 'AH04' ? w.declinedAH04 : w.declinedBH01;
}
