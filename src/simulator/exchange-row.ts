/** One exchange as the wire view shows it, in the words of its reader. */
import type { Exchange } from './exchanges.js';
import { faultLabel } from './fault-presets.js';
import type { Frame, Lang } from './frame.js';
import { type Discretion, redactedBody, redactedPath, redactedText } from './redact.js';
import type { WebhookAuth } from './webhooks.js';
import type { World } from './world.js';

export interface ExchangeRow {
  readonly id: number;
  readonly kind: 'call' | 'browser' | 'webhook';
  readonly tone: 'open' | 'good' | 'bad' | 'cut';
  /** By the name of the place in the row; an empty one is not shown. */
  readonly texts: Readonly<Record<RowPlace, string>>;
}

export const rowPlaces = ['time', 'way', 'method', 'path', 'event', 'status', 'ms', 'fault'] as const;
export const rowBodies = ['headers', 'sent', 'answer'] as const;
type RowPlace = (typeof rowPlaces)[number] | (typeof rowBodies)[number];

/** The service's own headers are left out with the rest that says nothing about the protocol. */
const shownHeaders: readonly string[] = [
  'content-type',
  'authorization',
  'x-request-id',
  'x-idempotency-key',
  'x-signature-transaction',
  'x-skyflow-authorization',
];

const clocks: Readonly<Record<Lang, Intl.DateTimeFormat>> = { es: clock('es-MX'), en: clock('en-MX') };

export function exchangeRow(world: World, exchange: Exchange, { w, lang }: Frame): ExchangeRow {
  const discretion = discretionOf(world);
  const { at, method, path, event = '', sent, fault, end, id } = exchange;
  const kind = kindOf(exchange);
  const way = { call: w.wayCall, browser: w.wayBrowser, webhook: w.wayWebhook }[kind];
  return {
    id,
    kind,
    tone: toneOf(exchange),
    texts: {
      time: clocks[lang].format(at),
      way,
      method,
      path: redactedPath(path, discretion),
      event,
      status: redactedText(statusOf(exchange, w), discretion),
      ms: end === undefined ? '' : `${end.ms < 10 ? end.ms.toFixed(1) : Math.round(end.ms)} ms`,
      fault: fault === undefined ? '' : `${w.playedFault}: ${faultLabel(fault, w)}`,
      headers: headersOf(exchange, discretion),
      sent: sent === '' ? '' : redactedBody(sent, discretion),
      answer: end === undefined || end.answer === '' ? '' : redactedBody(end.answer, discretion),
    },
  };
}

function kindOf({ kind, call }: Exchange): ExchangeRow['kind'] {
  return call === 'tokenize' ? 'browser' : kind;
}

function toneOf({ end }: Exchange): ExchangeRow['tone'] {
  if (end === undefined) return 'open';
  if (end.lost !== undefined) return 'cut';
  return (end.status ?? 500) < 400 ? 'good' : 'bad';
}

function statusOf({ end }: Exchange, w: Frame['w']): string {
  if (end === undefined) return w.unanswered;
  if (end.lost === undefined) return String(end.status);
  if (end.lost === 'before') return w.cutBefore;
  return end.lost === 'during' ? `${end.status} · ${w.cutDuring}` : `${w.noAnswer}: ${end.lost}`;
}

function headersOf({ headers, kind }: Exchange, discretion: Discretion): string {
  return Object.entries(headers)
    .filter(([name]) => kind === 'webhook' || shownHeaders.includes(name))
    .map(([name, value]) => {
      const secret = name === 'x-signature-transaction';
      return `${name}: ${secret ? '[redacted]' : redactedText(value, discretion)}`;
    })
    .join('\n');
}

function discretionOf({ options, settings, accessTokens, url }: World): Discretion {
  const secrets = [
    options.apiKey,
    ...credentialsOf(options.webhookAuth),
    ...(settings.signingSecret === null ? [] : [settings.signingSecret]),
    ...accessTokens.keys(),
  ];
  return { secrets: secrets.filter((secret) => secret !== ''), ownUrl: url };
}

function credentialsOf(auth: WebhookAuth): readonly string[] {
  switch (auth.scheme) {
    case 'bearer':
      return [auth.token];
    case 'basic':
      return [auth.password, Buffer.from(`${auth.user}:${auth.password}`).toString('base64')];
    case 'header':
      return [auth.value];
    case 'none':
      return [];
  }
}

function clock(locale: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locale, {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
    hourCycle: 'h23',
    timeZone: 'America/Mexico_City',
  });
}
