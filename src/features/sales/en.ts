import type { TextsOf } from '../../locales/texts-of.js';
import type { esMx } from './es-mx.js';

export const en: TextsOf<typeof esMx> = {
  title: 'Sales in the last 30 days',
  periods: { today: 'Today', week: 'This week', month: 'This month' },
  before: {
    today: 'Yesterday at this time: {{total}}',
    week: 'Last week until this day and time: {{total}}',
    month: 'Last month until this day and time: {{total}}',
  },
  orderCount_one: '{{count}} order',
  orderCount_many: '{{count}} orders',
  orderCount_other: '{{count}} orders',
  best: 'Best sellers',
  pieces_one: '{{count}} piece',
  pieces_many: '{{count}} pieces',
  pieces_other: '{{count}} pieces',
  total: 'Sales',
  outside: 'Of which paid outside the gateway (before refunds)',
  paid: 'Paid orders',
  conversion: 'Of the orders placed, paid',
  share: '{{paid}} of {{placed}} ({{share}})',
  median: 'Typical time from order to payment',
  byDay: 'Sales by day',
  byDayChart: 'Bar chart of daily sales, from {{first}} to {{last}}. Highest daily sales: {{max}}.',
  byState: 'Orders by state',
  asTable: 'View as table',
  day: 'Day',
  orders: 'Orders',
  part: 'Share',
  nothing: 'There are no orders in this period yet.',
  counted:
    'Refunds and chargebacks are subtracted on the day they were made. Data as of {{at}}. Updated at most once a minute. Days in Mexico City time.',
};
