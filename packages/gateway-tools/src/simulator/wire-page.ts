/** The list of the newest calls and webhooks. A script reloads the list each second. */
import express, { type Router } from 'express';
import { z } from 'zod';
import type { LogEntry } from './call-log.js';
import { faultLabel } from './fault-presets.js';
import { type Redaction, redactBody, redactPath, redactText } from './redact.js';
import { type PageContext, render } from './render.js';
import { shopUrl } from './start-page.js';
import type { SimulatorState } from './state.js';

export function wirePage(state: SimulatorState): Router {
  const router = express.Router();
  router.get('/wire', (req, res) => {
    const redaction = redactionOf(state);
    const limit = limitSchema.parse(req.query['limit']);
    render(req, res, 'wire', (context) => ({
      title: context.t.wire,
      shopUrl: shopUrl(state),
      moreHref: limit < maxLimit ? `/wire?limit=${maxLimit}&lang=${context.locale}` : undefined,
      rows: state.calls.latest(limit).map((entry) => rowModel(entry, context, redaction)),
    }));
  });
  return router;
}

const maxLimit = 100;
const limitSchema = z.coerce.number().int().min(1).max(maxLimit).catch(20);

/** Other headers are not part of the gateway's interface. */
const shownHeaders: readonly string[] = [
  'content-type',
  'authorization',
  'x-request-id',
  'x-idempotency-key',
  'x-signature-transaction',
  'x-skyflow-authorization',
];

/** Digits only, so it serves all locales. */
const clock = new Intl.DateTimeFormat('es-MX', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  hourCycle: 'h23',
  timeZone: 'America/Mexico_City',
});

function rowModel(entry: LogEntry, context: PageContext, redaction: Redaction) {
  const { t } = context;
  const { at, method, path, event = '', requestBody, fault, response, id } = entry;
  const kind = entry.call === 'tokenize' ? 'browser' : entry.kind;
  const ms = response?.durationMs;
  return {
    id,
    kind,
    tone: toneOf(entry),
    summary: {
      time: clock.format(at),
      direction: { call: t.directionCall, browser: t.directionBrowser, webhook: t.directionWebhook }[kind],
      method,
      path: redactPath(path, redaction),
      event,
      status: redactText(statusText(entry, t), redaction),
      ms: ms === undefined ? '' : `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`,
      fault: fault === undefined ? '' : `${t.injectedFault}: ${faultLabel(fault, context)}`,
    },
    bodies: [
      [t.requestHeaders, headersText(entry, redaction)],
      [t.requestBody, requestBody && redactBody(requestBody, redaction)],
      [t.responseBody, response?.body && redactBody(response.body, redaction)],
    ],
  };
}

function toneOf({ response }: LogEntry): 'open' | 'good' | 'bad' | 'cut' {
  if (response === undefined) return 'open';
  if (response.failure !== undefined) return 'cut';
  return (response.status ?? 500) < 400 ? 'good' : 'bad';
}

function statusText({ response }: LogEntry, t: PageContext['t']): string {
  if (response === undefined) return t.pendingResponse;
  const { status, failure } = response;
  if (failure === undefined) return String(status);
  if (failure === 'before') return t.cutBefore;
  return failure === 'during' ? `${status} · ${t.cutDuring}` : `${t.noResponse}: ${failure}`;
}

function headersText({ headers, kind }: LogEntry, redaction: Redaction): string {
  return Object.entries(headers)
    .filter(([name]) => kind === 'webhook' || shownHeaders.includes(name))
    .map(([name, value]) => {
      const secret = name === 'x-signature-transaction';
      return `${name}: ${secret ? '[redacted]' : redactText(value, redaction)}`;
    })
    .join('\n');
}

function redactionOf({ options, settings, accessTokens, url }: SimulatorState): Redaction {
  // The credentials of webhooks are not recorded.
  const secrets = [options.apiKey, settings.signingSecret ?? '', ...accessTokens.keys()];
  return { secrets: secrets.filter((secret) => secret !== ''), ownUrl: url };
}
