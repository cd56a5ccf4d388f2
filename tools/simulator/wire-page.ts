/** The list of the last 100 calls and webhooks. A script reloads the list each second. */
import express, { type Router } from 'express';
import type { Exchange } from './exchanges.js';
import { type Frame, frameOf, type Lang, type Render } from './pages.js';
import { type Redaction, redactedBody, redactedPath, redactedText } from './redact.js';
import { faultLabel, shopAddress } from './start-page.js';
import type { WebhookAuth } from './webhooks.js';
import type { World } from './world.js';

export function wirePage(world: World, render: Render): Router {
  const router = express.Router();
  router.get('/wire', (req, res) => {
    const frame = frameOf(req);
    const redaction = redactionOf(world);
    const rows = world.exchanges.latest().map((exchange) => orderRow(exchange, frame, redaction));
    res.send(render('wire', frame, { title: frame.w.wire, shopUrl: shopAddress(world), rows }));
  });
  return router;
}

/** Other headers are not part of the gateway's interface. */
const shownHeaders: readonly string[] = [
  'content-type',
  'authorization',
  'x-request-id',
  'x-idempotency-key',
  'x-signature-transaction',
  'x-skyflow-authorization',
];

const clocks: Readonly<Record<Lang, Intl.DateTimeFormat>> = { es: clock('es-MX'), en: clock('en-MX') };

function orderRow(exchange: Exchange, { w, lang }: Frame, redaction: Redaction) {
  const { at, method, path, event = '', sent, fault, end, id } = exchange;
  const kind = exchange.call === 'tokenize' ? 'browser' : exchange.kind;
  return {
    id,
    kind,
    tone: toneOf(exchange),
    summary: {
      time: clocks[lang].format(at),
      way: { call: w.wayCall, browser: w.wayBrowser, webhook: w.wayWebhook }[kind],
      method,
      path: redactedPath(path, redaction),
      event,
      status: redactedText(statusOf(exchange, w), redaction),
      ms: end === undefined ? '' : `${end.ms < 10 ? end.ms.toFixed(1) : Math.round(end.ms)} ms`,
      fault: fault === undefined ? '' : `${w.playedFault}: ${faultLabel(fault, w)}`,
    },
    bodies: [
      [w.rowHeaders, headersOf(exchange, redaction)],
      [w.rowSent, sent && redactedBody(sent, redaction)],
      [w.rowAnswer, end?.answer && redactedBody(end.answer, redaction)],
    ],
  };
}

function toneOf({ end }: Exchange): 'open' | 'good' | 'bad' | 'cut' {
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

function headersOf({ headers, kind }: Exchange, redaction: Redaction): string {
  return Object.entries(headers)
    .filter(([name]) => kind === 'webhook' || shownHeaders.includes(name))
    .map(([name, value]) => {
      const secret = name === 'x-signature-transaction';
      return `${name}: ${secret ? '[redacted]' : redactedText(value, redaction)}`;
    })
    .join('\n');
}

function redactionOf({ options, settings, accessTokens, url }: World): Redaction {
  const { apiKey, webhookAuth } = options;
  const signingSecret = settings.signingSecret ?? '';
  const secrets = [apiKey, signingSecret, ...credentialsOf(webhookAuth), ...accessTokens.keys()];
  return { secrets: secrets.filter((secret) => secret !== ''), ownUrl: url };
}

function credentialsOf(auth: WebhookAuth): readonly string[] {
  if (auth.scheme === 'bearer') return [auth.token];
  if (auth.scheme === 'header') return [auth.value];
  if (auth.scheme === 'none') return [];
  return [auth.password, Buffer.from(`${auth.user}:${auth.password}`).toString('base64')];
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
