/** What caused a lookup. */
export const TRIGGERS = [
  'return',
  'order_page',
  'checkout',
  'card_answer',
  'webhook',
  'worker',
  'merchant',
] as const;
export type Trigger = (typeof TRIGGERS)[number];
