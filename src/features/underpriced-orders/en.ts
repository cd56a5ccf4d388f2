import type { TextsOf } from '../../locales/texts-of.js';
import type { esMx } from './es-mx.js';

export const en: TextsOf<typeof esMx> = {
  heading: 'Orders with a lower price',
  count_one: '{{count}} unpaid order has this product at a lower price than the current one.',
  count_many: '{{count}} unpaid orders have this product at a lower price than the current one.',
  count_other: '{{count}} unpaid orders have this product at a lower price than the current one.',
  countMany: 'More than {{limit}} unpaid orders have this product at a lower price than the current one.',
  end: 'End their payment links',
  endHint:
    'The orders are canceled and can no longer be paid at that price. A payment that was already made may still arrive. Up to 500 links end each time.',
  ended_one: '{{count}} payment link ended.',
  ended_many: '{{count}} payment links ended.',
  ended_other: '{{count}} payment links ended.',
  skipped_one: '{{count}} order was skipped: its payment may be confirmed soon.',
  skipped_many: '{{count}} orders were skipped: their payments may be confirmed soon.',
  skipped_other: '{{count}} orders were skipped: their payments may be confirmed soon.',
};
