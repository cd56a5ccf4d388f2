import { centavos } from '../domain/money.js';
import { formatMoney } from '../locales/format.js';
import type { Reader } from '../web/pages/shop-pages.js';
import { TONES } from './desk-rows.js';
import { formatDuration, formatShortMoment } from './desk-times.js';
import type { DeskSales } from './desk-view-models.js';
import type { SalesWindow } from './sales-window.js';

const BAR_STEP = 10;
const CHART_HEIGHT = 100;
/** Minimum height of a bar, so that a day with low sales is visible. */
const LEAST_BAR = 1.5;
const NOON_MS = 12 * 3_600_000;

/** Builds the model of the sales figures and their two charts. */
export function salesPage(reader: Reader, window: SalesWindow): DeskSales {
  const { locale, t } = reader;
  const most = Math.max(...window.days.map(({ total }) => total));
  return {
    facts: factsOf(reader, window),
    width: String(window.days.length * BAR_STEP),
    days: window.days.map(({ day, count, total }, place) => ({
      day: dayName(reader, day),
      count: String(count),
      total: formatMoney(centavos(total), locale),
      bar: barOf(total, most, place),
    })),
    axis: {
      most: formatMoney(centavos(most), locale),
      first: dayName(reader, window.days[0]?.day),
      last: dayName(reader, window.days.at(-1)?.day),
    },
    states: window.states
      .filter(({ count }) => count > 0)
      .map(({ state, count }) => ({
        state: t(`desk.states.${state}`),
        tone: TONES[state],
        count: String(count),
        share: percent(reader, count, window.placed),
        width: ((count / window.placed) * 100).toFixed(2),
      })),
    counted: t('desk.sales.counted', { at: formatShortMoment(window.readAt, locale) }),
  };
}

function factsOf(reader: Reader, { days, states, placed, confirmed }: SalesWindow): DeskSales['facts'] {
  const { locale, t } = reader;
  const total = days.reduce((sum, day) => sum + day.total, 0);
  const paid = states.find(({ state }) => state === 'paid')?.count ?? 0;
  const time = (seconds: number | undefined) =>
    seconds === undefined ? '—' : formatDuration(seconds, locale);
  return [
    { label: t('desk.sales.total'), value: formatMoney(centavos(total), locale) },
    { label: t('desk.sales.paid'), value: String(days.reduce((sum, day) => sum + day.count, 0)) },
    {
      label: t('desk.sales.conversion'),
      value:
        placed === 0 ? '—' : t('desk.sales.share', { share: percent(reader, paid, placed), paid, placed }),
    },
    { label: t('desk.sales.median'), value: time(confirmed?.median) },
    { label: t('desk.sales.p95'), value: time(confirmed?.p95) },
  ];
}

function barOf(total: number, most: number, place: number): DeskSales['days'][number]['bar'] {
  const height = total === 0 ? 0 : Math.max(LEAST_BAR, (total / most) * CHART_HEIGHT);
  return {
    x: String(place * BAR_STEP + 1),
    y: (CHART_HEIGHT - height).toFixed(2),
    height: height.toFixed(2),
  };
}

function percent({ locale }: Reader, part: number, whole: number): string {
  return new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }).format(part / whole);
}

function dayName({ locale }: Reader, day: string | undefined): string {
  if (day === undefined) return '';
  const format = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });
  return format.format(Date.parse(`${day}T00:00:00Z`) + NOON_MS);
}
