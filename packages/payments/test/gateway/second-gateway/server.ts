/** A small server of a gateway that shares nothing with the first: forms, amounts as text, errors with status 200. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { CardTokens } from '@tianguis/payments/rules';
import { centavos, fromPesosText } from '@tianguis/payments/rules';
import { openServer } from '../../../../../test/support/http.js';
import type { GatewayCall } from '../../../src/gateway/errors.js';
import { ECHO, type FaultyServer, type Flaw } from '../promises/faulty-server.js';

interface Sale {
  readonly token: string;
  readonly order: string;
  readonly total: string;
  readonly back: string;
  readonly isCard: boolean;
  state: string;
}

interface Refund {
  readonly token: string;
  readonly charge: string;
  readonly total: string;
  readonly state: string;
}

export interface SecondServer extends FaultyServer {
  readonly url: string;
  /** Answers without a flaw again. */
  heal(): void;
  /** Returns the id of the last page or charge. */
  lastId(): string;
}

/** State of a new charge by the first digit of its card token. */
const CARDS = { paid: ['4', 'SETTLED'], declined: ['5', 'REJECTED'], challenged: ['3', 'AT_BANK'] } as const;

const ROUTES: readonly (readonly [RegExp, GatewayCall])[] = [
  [/^POST \/pages$/, 'create-session'],
  [/^GET \/pages\/([\w-]+)$/, 'read-session'],
  [/^POST \/charges$/, 'process-payment'],
  [/^GET \/charges\/([\w-]+)$/, 'read-transaction'],
  [/^POST \/charges\/([\w-]+)\/refunds$/, 'refund-payment'],
  [/^GET \/refunds\/([\w-]+)$/, 'read-refund'],
  [/^POST \/vault-keys$/, 'access-token'],
];

const NOT_FOUND = { ok: false, problem: 'no_such_token' };

/** Starts the gateway. The customer's pages are `/pay/:token`: a POST pays and redirects to the shop. */
export async function openSecondServer(apiKey: string): Promise<SecondServer> {
  const sales: Sale[] = [];
  const refunds: Refund[] = [];
  const calls: GatewayCall[] = [];
  let flaw: Flaw | undefined;
  const credentials = `Basic ${Buffer.from(`${apiKey}:`).toString('base64')}`;

  const saleOf = (token: string | undefined) => sales.find((sale) => sale.token === token);
  const show = (sale: Sale | undefined) => {
    if (!sale) return NOT_FOUND;
    const { token, state, total, isCard } = sale;
    const address = isCard && state !== 'AT_BANK' ? {} : { address: `${server.url}/pay/${token}` };
    return { ok: true, [isCard ? 'charge' : 'page']: { token, state, total, money: 'pesos', ...address } };
  };

  function sell(form: URLSearchParams, isCard: boolean) {
    const { total = '', order = '', back = '', card = '' } = Object.fromEntries(form);
    const state = isCard ? Object.values(CARDS).find(([digit]) => card.startsWith(digit))?.[1] : 'OPEN';
    const sale = { token: randomUUID().replaceAll('-', ''), order, total, back, isCard, state: state ?? 'REJECTED' };
    sales.push(sale);
    return show(sale);
  }

  function giveBack(charge: string, form: URLSearchParams) {
    if (saleOf(charge)?.state !== 'SETTLED') return NOT_FOUND;
    const refund = { token: `r${refunds.length}`, charge, total: form.get('total') ?? '', state: 'RETURNED' };
    refunds.push(refund);
    return { ok: true, refund };
  }

  /** Processes a call and returns the answer. */
  function process(call: GatewayCall, token: string, form: URLSearchParams): object {
    switch (call) {
      case 'create-session':
      case 'process-payment':
        return sell(form, call === 'process-payment');
      case 'read-session':
      case 'read-transaction':
        return show(saleOf(token));
      case 'refund-payment':
        return giveBack(token, form);
      case 'read-refund': {
        const refund = refunds.find((each) => each.token === token);
        return refund ? { ok: true, refund } : NOT_FOUND;
      }
      case 'access-token':
        return { ok: true, vault_key: randomUUID() };
    }
  }

  function pay(sale: Sale | undefined, res: ServerResponse) {
    if (sale) sale.state = 'SETTLED';
    res.writeHead(303, { Location: sale?.back ?? '/' }).end();
  }

  const server = await openServer(async (req, res) => {
    const form = new URLSearchParams(await text(req));
    const line = `${req.method} ${req.url}`;
    const page = /^POST \/pay\/(\w+)$/.exec(line);
    if (page) return pay(saleOf(page[1]), res);
    const [route, call] = ROUTES.find(([pattern]) => pattern.test(line)) ?? [];
    if (!route || !call) return res.writeHead(404).end('No such page');
    calls.push(call);
    if (req.headers.authorization !== credentials) return res.writeHead(401).end('Wrong key');
    const isProcessed = flaw !== 'refused' && typeof flaw !== 'object';
    const answer = isProcessed ? process(call, route.exec(line)?.[1] ?? '', form) : {};
    return send({ req, res }, answer, flaw);
  });

  return {
    url: server.url,
    hasReference: () => false,
    cardTokens: (outcome) => tokensOf(CARDS[outcome][0]),
    paySession(id) {
      const sale = saleOf(id);
      if (sale) sale.state = 'SETTLED';
    },
    answerWith(next) {
      flaw = next;
    },
    heal() {
      flaw = undefined;
    },
    lastId: () => sales.at(-1)?.token ?? '',
    requests: (call) => calls.filter((each) => each === call).length,
    returnUrl: () => sales.at(-1)?.back ?? '',
    moved: () => ({
      payments: sales.filter(({ state }) => state === 'SETTLED').length,
      refunds: refunds.map(({ total }) => fromPesosText(total) ?? centavos(0)),
    }),
    eventAbout(id) {
      const { order, state, total, isCard } = saleOf(id) ?? {};
      return { kind: isCard ? 'charge.changed' : 'page.changed', subject: id, order, now: { state, total } };
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** Tokens in the form that the shop accepts. This gateway reads the first only. */
function tokensOf(digit: string): CardTokens {
  const [cardholder_name, cvv, expiration_month, expiration_year] = Array.from({ length: 4 }, () => randomUUID());
  const others = { cardholder_name, cvv, expiration_month, expiration_year } as Omit<CardTokens, 'card_number'>;
  return { card_number: `${digit}000-0000-0000-0001`, ...others };
}

interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

/** Sends an answer with its flaw. */
function send({ req, res }: Exchange, answer: object, flaw: Flaw | undefined): void {
  const echo = { said: `${req.headers.authorization} ${ECHO}` };
  if (flaw === 'silent') return;
  if (flaw === 'lost') req.socket.destroy();
  else if (flaw === 'unreadable') res.writeHead(502, { 'Content-Type': 'text/html' }).end('<h1>Bad gateway</h1>');
  else if (flaw === 'oversized') res.end(JSON.stringify({ ...answer, padding: ' '.repeat(5_000_000) }));
  else if (typeof flaw === 'object') res.writeHead(302, { Location: flaw.redirectTo }).end();
  else if (flaw === 'broken') res.end(JSON.stringify({ ok: false, problem: 'internal', ...echo }));
  else if (flaw === 'refused') res.end(JSON.stringify({ ok: false, problem: 'invalid_field', ...echo }));
  else res.end(JSON.stringify(answer, (_name, value) => (isRecord(value) ? change(value, flaw) : value)));
}

const isRecord = (value: unknown): value is object => typeof value === 'object' && value !== null && 'token' in value;

/** Members of a sale or refund with a flaw. */
const CHANGES: Readonly<Record<string, object>> = {
  'unknown-status': { state: 'SETTLED_MAYBE' },
  'other-amount': { total: '150.01' },
  fraction: { total: '150.00001' },
  'other-id': { token: 'another' },
  bare: { total: undefined, money: undefined },
  'foreign-page': { address: 'https://page.example/1' },
  'unsafe-page': { address: 'javascript:alert(1)' },
};

const change = (record: object, flaw: string | undefined) => ({ ...record, ...CHANGES[flaw ?? ''] });
