import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { openTestShop, type TestShop } from '../../../test/support/test-shop.js';
import { examine } from '../examine.js';
import type { Finding } from '../finding.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** A production environment without problems. */
export const PRODUCTION = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://tienda.example',
  SESSION_SECRET: 'kq3vN8sXw1Zt5yB7uD0fHj2LmR4pG6cA9eQ',
  PAYMENTS_BASE_URL: 'https://app.pay.example',
  CHECKOUT_API_URL: 'https://api.pay.example',
  CHECKOUT_PAGE_ORIGINS: 'https://page.pay.example',
  PAYMENTS_API_KEY: 'live_5f0c9a7be21d44c8',
  PAYMENTS_SIGNING_SECRET: 'Qm4xT9vB2nK7wZ5c',
  TOKENIZER_URL: 'https://token.pay.example/v1/route/token',
  WEBHOOK_AUTH: 'bearer:Zx81kQpL0v7RtY3n',
  ADMIN_PASSWORD: 'una frase larga 27',
  TRUST_PROXY: '1',
};

/** 60 s, so that a slow test machine causes no timeouts. */
const PATIENCE_MS = 60_000;

interface Place {
  readonly patienceMs?: number;
  readonly production?: boolean;
  readonly dataDirectory?: string;
  readonly projectDirectory?: string;
}

const NOWHERE = '/nonexistent/tianguis';

/** Returns the findings of the checks that need no other program. */
export function evaluatePayment(environment: Environment, place: Place = {}): Promise<readonly Finding[]> {
  return examine({
    production: false,
    dataDirectory: 'data',
    projectDirectory: NOWHERE,
    ...place,
    environment: { DATABASE_URL: `file:${NOWHERE}/shop.db`, ...environment },
    offline: true,
  });
}

/** Runs all checks against a running shop, with some settings changed after its start. */
export function examineShop(
  shop: TestShop,
  changed: Environment = {},
  place: Place = {},
): Promise<readonly Finding[]> {
  return examine({
    production: false,
    dataDirectory: shop.directory,
    projectDirectory: NOWHERE,
    patienceMs: PATIENCE_MS,
    ...place,
    environment: { ...shop.environment, ...changed },
    offline: false,
  });
}

/** Opens a shop with the attempt limits on, which tests otherwise disable. */
export function openHealthyShop(env: Readonly<Record<string, string>> = {}): Promise<TestShop> {
  return openTestShop({ env: { RATE_LIMIT: 'on', ...env } });
}

/** Returns all findings except `ok`, as `check level what`. */
export function troubles(findings: readonly Finding[]): readonly string[] {
  return findings
    .filter(({ level }) => level !== 'ok')
    .map(({ check, level, what }) => `${check} ${level} ${what}`);
}

/** Returns the findings of one check. */
export function said(findings: readonly Finding[], check: string): readonly Finding[] {
  return findings.filter((finding) => finding.check === check);
}

/** Returns the database URL of a file in the shop's folder. */
export function fileDatabase(shop: TestShop, name = 'own.db'): string {
  return `file:${join(shop.directory, name)}`;
}

interface Listening extends AsyncDisposable {
  readonly url: string;
}

/** Starts an HTTP server on a free loopback port. */
export async function listen(
  handler: (req: IncomingMessage, res: ServerResponse) => void,
): Promise<Listening> {
  const server: Server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Meddling {
  /** Changes the headers of requests and responses in place. */
  readonly request?: (headers: Record<string, unknown>) => void;
  readonly response?: (headers: Record<string, unknown>) => void;
}

/** Starts a proxy in front of the shop that changes headers. */
export function openProxy(shop: () => string, { request: goingIn, response: comingOut }: Meddling) {
  return listen((req, res) => {
    const headers: Record<string, unknown> = { ...req.headers };
    goingIn?.(headers);
    const passed = request(`${shop()}${req.url}`, { method: req.method ?? 'GET', headers: headers as never });
    passed.on('response', (answer) => {
      const back: Record<string, unknown> = { ...answer.headers };
      comingOut?.(back);
      res.writeHead(answer.statusCode ?? 502, back as never);
      answer.pipe(res);
    });
    passed.on('error', () => res.writeHead(502).end());
    req.pipe(passed);
  });
}
