/** Detects weak secrets, which production refuses. */

export type SecretProblem =
  /** Published in the documentation or the simulator. */
  | 'example'
  /** Has few different characters, repeats a short pattern, or counts up or down. */
  | 'guessable'
  /** The webhook credential is too short for a bearer secret. */
  | 'short';

const EXAMPLES = [
  ...['changeme', 'change-me', 'keyboard cat', 'secret', 'password', 'example', 'replace'],
  ...['test_simulator_key', 'simulator-webhook-secret'],
];
const MIN_WEBHOOK_LENGTH = 16;
/** Among 16 random hexadecimal digits, 10 are different on average, and almost never fewer than 5. */
const MIN_DIFFERENT_CHARACTERS = 5;
const MAX_PATTERN_LENGTH = 12;
/** Share of neighbors that are next to each other in the character set; 2 % in a random secret. */
const MAX_SEQUENCE_SHARE = 0.7;
const COMMON_START = /^0?(?:123456|abcdef|qwerty)/i;

/** Returns why production refuses the value of a setting, or `undefined` if it is accepted. */
export function secretProblem(setting: string, value: string | undefined): SecretProblem | undefined {
  const isWebhook = setting === 'WEBHOOK_AUTH';
  if (!value || (isWebhook && value === 'none')) return undefined;
  const secret = isWebhook ? webhookSecret(value) : value;
  if (EXAMPLES.some((example) => secret.toLowerCase().startsWith(example))) return 'example';
  if (isGuessable(secret)) return 'guessable';
  return isWebhook && secret.length < MIN_WEBHOOK_LENGTH ? 'short' : undefined;
}

/**
 * The secret part of `bearer:…`, `basic:user:…` and `header:Name:…`.
 * @public also used by tools
 */
export function webhookSecret(value: string): string {
  return value.replace(/^(?:bearer:|basic:[^:]*:|header:[^:]*:)/, '');
}

function isGuessable(secret: string): boolean {
  return (
    new Set(secret).size < MIN_DIFFERENT_CHARACTERS ||
    COMMON_START.test(secret) ||
    repeatsPattern(secret) ||
    isSequence(secret)
  );
}

/** Returns whether the secret repeats a pattern of at most 12 characters. The last repetition may be incomplete. */
function repeatsPattern(secret: string): boolean {
  const longest = Math.min(MAX_PATTERN_LENGTH, Math.floor(secret.length / 2));
  for (let length = 1; length <= longest; length += 1)
    if (secret.slice(length) === secret.slice(0, -length)) return true;
  return false;
}

function isSequence(secret: string): boolean {
  const codes = [...secret].map((character) => character.charCodeAt(0));
  const steps = codes.slice(1).map((code, at) => Math.abs(code - (codes[at] ?? code)));
  return steps.filter((step) => step === 1).length > steps.length * MAX_SEQUENCE_SHARE;
}
