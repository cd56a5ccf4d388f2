import type { Locale } from '../domain/locale.js';
import { centavos } from '../domain/money.js';
import { formatMoney } from '../locales/format.js';
import type { I18n } from '../web/pages/shop-pages.js';
import { formatDuration, formatShortMoment } from './format-time.js';
import { TONES } from './order-rows.js';
import type { SalesWindow } from './sales-window.js';

const BAR_STEP = 10;
const CHART_HEIGHT = 100;
/** Minimum height of a bar, so that a day with low sales is visible. */
const MIN_BAR = 1.5;
const NOON_MS = 12 * 3_600_000;

/** Builds the model of the sales figures and their two charts. */
export function salesPage(i18n: I18n, window: SalesWindow) {
  const { locale, t } = i18n;
  const max = Math.max(0, ...window.days.map(({ total }) => total));
  return {
    facts: factsOf(i18n, window),
    width: String(window.days.length * BAR_STEP),
    days: window.days.map(({ day, count, total }, index) => ({
      day: dayName(i18n, day),
      count: String(count),
      total: signedMoney(total, locale),
      bar: barOf(total, max, index),
    })),
    axis: {
      max: formatMoney(centavos(max), locale),
      first: dayName(i18n, window.days[0]?.day),
      last: dayName(i18n, window.days.at(-1)?.day),
    },
    states: window.states
      .filter(({ count }) => count > 0)
      .map(({ state, count }) => ({
        state: t(`admin.states.${state}`),
        tone: TONES[state],
        count: String(count),
        share: percent(i18n, count, window.placed),
        width: ((count / window.placed) * 100).toFixed(2),
      })),
    counted: t('admin.sales.counted', { at: formatShortMoment(window.readAt, locale) }),
  };
}

function factsOf(i18n: I18n, { days, states, placed, confirmed }: SalesWindow) {
  const { locale, t } = i18n;
  const total = days.reduce((sum, day) => sum + day.total, 0);
  const paid = states.find(({ state }) => state === 'paid')?.count ?? 0;
  const time = (seconds: number | undefined) =>
    seconds === undefined ? '—' : formatDuration(seconds, locale);
  return [
    { label: t('admin.sales.total'), value: signedMoney(total, locale) },
    { label: t('admin.sales.paid'), value: String(days.reduce((sum, day) => sum + day.count, 0)) },
    {
      label: t('admin.sales.conversion'),
      value:
        placed === 0 ? '—' : t('admin.sales.share', { share: percent(i18n, paid, placed), paid, placed }),
    },
    { label: t('admin.sales.median'), value: time(confirmed?.median) },
    { label: t('admin.sales.p95'), value: time(confirmed?.p95) },
  ];
}

/** A day with more refunds than sales has a negative total. */
function signedMoney(total: number, locale: Locale): string {
  const amount = formatMoney(centavos(Math.abs(total)), locale);
  return total < 0 ? `−${amount}` : amount;
}

function barOf(total: number, max: number, index: number) {
  const height = total <= 0 ? 0 : Math.max(MIN_BAR, (total / max) * CHART_HEIGHT);
  return {
    x: String(index * BAR_STEP + 1),
    y: (CHART_HEIGHT - height).toFixed(2),
    height: height.toFixed(2),
  };
}

function percent({ locale }: I18n, part: number, whole: number): string {
  return new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }).format(part / whole);
}

function dayName({ locale }: I18n, day: string | undefined): string {
  if (day === undefined) return '';
  const format = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });
  return format.format(Date.parse(`${day}T00:00:00Z`) + NOON_MS);
}
