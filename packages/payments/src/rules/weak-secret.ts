/** Detects weak secrets, which production refuses. */
import { secretValues } from './secret-values.js';

export type SecretProblem =
  /** Published in the documentation or the simulator. */
  | 'example'
  /** Has few different characters, repeats a short pattern, counts up or down, or consists of common words and a year. */
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
/** Characters besides common words, names of the shop and years. */
const MIN_OTHER_CHARACTERS = 6;
/** In lower case without accents. A longer word is before its beginning. */
const COMMON_WORDS = [
  ...['contrasena', 'contrasenia', 'clave', 'secreta', 'secreto', 'acceso', 'segura', 'seguro', 'password', 'passwd'],
  ...['administracion', 'administrador', 'admin', 'gerencia', 'gerente', 'usuario', 'cliente', 'maestra', 'maestro'],
  ...['tiendita', 'tienda', 'mercado', 'negocio', 'empresa', 'ventas', 'pedidos', 'pagos', 'dinero', 'shop', 'store'],
  ...['bienvenida', 'bienvenido', 'hola', 'mexico', 'familia', 'amor', 'futbol', 'princesa', 'guadalupe', 'estrella'],
  ...['enero', 'febrero', 'marzo', 'abril', 'mayo', 'junio', 'julio', 'agosto'],
  ...['septiembre', 'octubre', 'noviembre', 'diciembre', 'primavera', 'verano', 'otono', 'invierno'],
  ...['welcome', 'letmein', 'qwerty', 'asdf', '123456789', '12345678', '123456', '12345', '1234', '123'],
] as const;
const YEAR = /(?:19|20)\d\d/g;
/** Shorter parts of a name are no words. */
const MIN_NAME_LENGTH = 3;
const COMMON_START = /^0?(?:123456|abcdef|qwerty)/i;

/**
 * Returns why production refuses the value of a setting, or `undefined` if it is accepted. `names` are those of the shop, such
 * as its brand and its host.
 */
export function secretProblem(
  setting: string,
  value: string | undefined,
  names: readonly string[],
): SecretProblem | undefined {
  if (!value || (setting === 'WEBHOOK_AUTH' && /^none$/i.test(value))) return undefined;
  const problems = secretsIn(setting, value).map((secret) => problemOf(setting, secret, names));
  return problems.find((problem) => problem !== undefined);
}

function problemOf(setting: string, secret: string, names: readonly string[]): SecretProblem | undefined {
  if (EXAMPLES.some((example) => secret.toLowerCase().startsWith(example))) return 'example';
  if (isGuessable(secret) || hasOnlyCommonWords(secret, names)) return 'guessable';
  return setting === 'WEBHOOK_AUTH' && secret.length < MIN_WEBHOOK_LENGTH ? 'short' : undefined;
}

/**
 * Returns the secrets in the value of a setting: all values of a secret that is being changed, and of webhook credentials
 * only the token, password or header value.
 * @public also used by tools
 */
export function secretsIn(setting: string, value: string): readonly string[] {
  if (setting === 'SESSION_SECRET') return secretValues(value);
  if (setting !== 'WEBHOOK_AUTH') return [value];
  return secretValues(value).map((each) => each.replace(/^(?:bearer:|basic:[^:]*:|header:[^:]*:)/i, ''));
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

/** Returns whether common words, words of the names and years leave fewer than 6 letters and digits. */
function hasOnlyCommonWords(secret: string, names: readonly string[]): boolean {
  const all = plainText(secret);
  // The whole name as well, because its short words are no words of their own: "Luz de Papel".
  const words = names.map(plainText).flatMap((name) => [name, ...name.split(/[^\p{L}\p{N}]+/u)]);
  const own = words.filter((word) => word.length >= MIN_NAME_LENGTH);
  const rest = [...own, ...COMMON_WORDS].reduce((text, word) => text.replaceAll(word, ' '), all).replace(YEAR, ' ');
  return rest !== all && rest.replace(/[^\p{L}\p{N}]/gu, '').length < MIN_OTHER_CHARACTERS;
}

/** Returns the text in lower case without accents. */
function plainText(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
