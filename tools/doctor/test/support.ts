import { request } from 'node:http';
import type { Environment } from '../../../src/config/settings.js';
import { openServer } from '../../../test/support/http.js';
import { PRODUCTION as REQUIRED } from '../../../test/support/production-settings.js';
import type { TestShop } from '../../../test/support/test-shop.js';
import type { CheckResult } from '../check.js';
import { type DoctorInput, runDoctor } from '../run-doctor.js';

/** A production environment without problems, except that it has no database and no SMTP server. */
export const PRODUCTION = {
  ...REQUIRED,
  CHECKOUT_PAGE_ORIGINS: 'https://page.pay.example',
  PAYMENTS_SIGNING_SECRET: 'Qm4xT9vB2nK7wZ5c',
  ADMIN_PASSWORD: 'una frase larga 27',
};

const NONEXISTENT = '/nonexistent/tianguis';
/** Long enough for a busy test machine. */
const TIMEOUT_MS = 30_000;

/** Runs the checks that need no network. */
export function checkOffline(
  environment: Environment,
  input: Partial<DoctorInput> = {},
): Promise<readonly CheckResult[]> {
  return runDoctor({
    production: false,
    projectDirectory: NONEXISTENT,
    envFile: `${NONEXISTENT}/.env`,
    ...input,
    environment: { DATABASE_URL: `file:${NONEXISTENT}/shop.db`, ...environment },
    offline: true,
  });
}

/** Runs all checks on a running shop, with some settings changed after its start. */
export function checkRunningShop(
  shop: TestShop,
  changed: Environment = {},
  input: Partial<DoctorInput> = {},
): Promise<readonly CheckResult[]> {
  return runDoctor({
    production: false,
    offline: false,
    projectDirectory: NONEXISTENT,
    envFile: `${NONEXISTENT}/.env`,
    timeoutMs: TIMEOUT_MS,
    ...input,
    environment: { ...shop.environment, ...changed },
  });
}

/** Checks of files. All leaves them out: the project has sample texts, and the project of most tests has no files. */
const FILE_CHECKS = ['sample texts', 'texts and pictures'];

/** Returns the problems as `check level what`, of one check or of all. */
export function problemsOf(results: readonly CheckResult[], check?: string): readonly string[] {
  return results.flatMap((result) =>
    result.level === 'ok' || (check === undefined ? FILE_CHECKS.includes(result.check) : result.check !== check)
      ? []
      : [`${result.check} ${result.level} ${result.what}`],
  );
}

type Headers = Record<string, string | string[] | undefined>;

interface HeaderChanges {
  readonly onRequest?: (headers: Headers) => void;
  readonly onResponse?: (headers: Headers) => void;
}

/** Starts a proxy in front of the shop that changes headers. */
export function openProxy(shop: TestShop, { onRequest, onResponse }: HeaderChanges) {
  return openServer((req, res) => {
    const headers: Headers = { ...req.headers };
    onRequest?.(headers);
    const forwarded = request(`${shop.url}${req.url}`, { method: req.method ?? 'GET', headers });
    forwarded.on('response', (response) => {
      const changed: Headers = { ...response.headers, connection: 'close' };
      onResponse?.(changed);
      res.writeHead(response.statusCode ?? 502, changed);
      response.pipe(res);
    });
    forwarded.on('error', () => res.writeHead(502).end());
    req.pipe(forwarded);
  });
}
