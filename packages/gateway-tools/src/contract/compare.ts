/** Expected answers of the gateway as zod schemas, and the description of differences. */
import { z } from 'zod';

type Members = Readonly<Record<string, z.ZodType>>;

export function rule(description: string, holds: (value: unknown) => boolean): z.ZodType {
  return z.custom(holds, `expected ${description}`);
}

export const text = z.string('expected a text').min(1, 'expected a text');
export const uuid = z.uuid('expected a UUID');
/** The form that the shop accepts for the token of a card number. */
export const numberToken = z
  .string()
  .regex(/^(?=.{14,23}$)(?:\d{4}-){2,4}\d{1,4}$/, 'expected 12 to 19 digits in four-digit blocks');
export const isoTime = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00:00)$/, 'expected a time in ISO 8601, UTC');
export const webUrl = z
  .string()
  .regex(
    /^(?:https:\/\/|http:\/\/(?:localhost|127\.0\.0\.1)[:/])\S+$/,
    'expected an https URL (http on this machine only)',
  );
const DAY_MS = 86_400_000;
/** Distinguishes milliseconds from seconds. Tolerates a clock skew of one day. */
export const currentMilliseconds = rule(
  'Unix milliseconds of the present',
  (value) => Number.isSafeInteger(value) && Math.abs(Number(value) - Date.now()) < DAY_MS,
);

/** Expects the members of a JSON value. Additional members are allowed. */
function matching(value: unknown): z.ZodType {
  if (Array.isArray(value)) return z.tuple(value.map(matching) as [z.ZodType]);
  if (typeof value !== 'object' || value === null) return z.literal(value as string | number | null);
  return z.looseObject(membersOf(value));
}

/** Expects each member of a request unchanged. */
export function membersOf(request: object): Members {
  return Object.fromEntries(Object.entries(request).map(([name, member]) => [name, matching(member)]));
}

/** Returns the difference of the address to which a page led: its query is kept, and `session_id` added if there is an id. */
export function compareRedirect(landing: string, address: unknown, id?: unknown): readonly string[] {
  const wanted = new URL(String(address));
  if (id !== undefined) wanted.searchParams.set('session_id', String(id));
  const holds = () => {
    if (!URL.canParse(landing)) return false;
    const { origin, pathname, searchParams } = new URL(landing);
    const isSame = origin === wanted.origin && pathname === wanted.pathname;
    return isSame && [...wanted.searchParams].every(([name, value]) => searchParams.get(name) === value);
  };
  return compare({ redirect: landing }, z.object({ redirect: rule(wanted.href, holds) }));
}

const SUCCESS = rule('a 2xx status', (status) => Number(status) >= 200 && Number(status) < 300);

/** Expects a JSON answer of success with these members. */
export function success(members: Members = {}, status: z.ZodType = SUCCESS): z.ZodType {
  return z.object({ status, json: z.looseObject(members) });
}

/** Expects a JSON answer with status 201 and these members. */
export const created = (members: Members = {}) => success(members, z.literal(201));

/** Statuses that do not refuse the content of the request. */
const OTHER_REFUSALS = [401, 403, 404, 405, 408, 429];

/** Expects a 4xx status that refuses the content of the request. */
export const REFUSED = z.object({
  status: rule(
    'a refusal (400, 422 or another 4xx that is about the request)',
    (status) => Number(status) >= 400 && Number(status) < 500 && !OTHER_REFUSALS.includes(Number(status)),
  ),
});
export const KEY_REFUSED = z.object({
  status: z.literal([401, 403], 'expected a refusal of the key (401 or 403)'),
});
export const NOT_FOUND = z.object({ status: z.literal(404) });

/**
 * Returns one text for each difference: `member: expected …, found …`. With a wrong status, its members do not matter.
 * Never shows the value of a token.
 */
export function compare(value: unknown, expected: z.ZodType): readonly string[] {
  const issues = expected.safeParse(value, { reportInput: true }).error?.issues ?? [];
  const wrongStatus = issues.filter(({ path }) => path.join('.') === 'status');
  return (wrongStatus.length > 0 ? wrongStatus : issues).map(({ path, message, input }) => {
    const name = (path[0] === 'json' ? path.slice(1) : path).join('.') || 'body';
    const wanted = message.replace(/^Invalid input: |, received .*$/g, '');
    return `${name}: ${wanted}, found ${describe(name, input)}`;
  });
}

const TOKEN_NAME = /token|^(?:card_number|cardholder_name|cvv|expiration_\w+)$/;

function describe(name: string, value: unknown): string {
  if (value === undefined) return 'nothing';
  return TOKEN_NAME.test(name) ? `a value of type ${typeof value}` : JSON.stringify(value);
}
