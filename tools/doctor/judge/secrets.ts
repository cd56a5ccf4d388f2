/** Checks that secrets are unguessable. */
import { secretProblem, webhookSecret } from '../../../src/domain/weak-secret.js';
import { SECRETS, type Settings } from '../../../src/settings.js';
import { graver, note, ok, type Verdict, warning } from '../finding.js';
import type { Patient } from '../patient.js';
import { SETTING_HELP } from '../setting-help.js';

export function judgeSecrets(patient: Patient): readonly Verdict[] {
  const given = SECRETS.flatMap((name) => {
    const value = patient.given[name];
    return value ? [{ name, value }] : [];
  });
  const verdicts = [
    ...given.flatMap((secret) => weakness(secret, patient)),
    ...sharedSecrets(given),
    ...openWebhooks(patient),
    ...missingAdmin(patient),
  ];
  return verdicts.some(({ level }) => level !== 'note')
    ? verdicts
    : [...verdicts, ok('No secret is an example, short or used twice.')];
}

interface Secret {
  readonly name: keyof Settings & string;
  readonly value: string;
}

const LEAST_CHARACTERS = 16;
const LEAST_DIFFERENT = 8;
const COMMON = /^(?:admin|password|contrase|tianguis|tienda|qwerty|abc123|123456|letmein|welcome|bienvenid)/i;

function weakness({ name, value }: Secret, { production }: Patient): Verdict[] {
  if (value === 'none') return [];
  // In production, the validation of the settings already reports this.
  const refused = secretProblem(name, value);
  if (refused !== undefined && production) return [];
  if (refused === 'example') return [warning({ what: `${name} is an example.`, ...KNOWN_TO_ALL })];
  if (refused === 'guessable') return [warning({ what: `${name} is easy to guess.`, ...SETTING_HELP[name] })];
  const fault = faultOf(name, webhookSecret(value));
  return fault === undefined ? [] : [warning({ what: `${name} ${fault}.`, ...SETTING_HELP[name] })];
}

const KNOWN_TO_ALL = {
  why: 'It is published in documentation. Production rejects it.',
  mend: 'Generate your own before you go live. For the simulator it is sufficient.',
};

function faultOf(name: string, secret: string): string | undefined {
  const isPassword = name === 'ADMIN_PASSWORD';
  if (!isPassword && secret.length < LEAST_CHARACTERS) return 'is short: a machine may guess it';
  if (new Set(secret).size < LEAST_DIFFERENT) return 'repeats few characters: a machine may guess it';
  return isPassword && COMMON.test(secret) ? 'begins with a word that is tried first' : undefined;
}

function sharedSecrets(given: readonly Secret[]): Verdict[] {
  const values = given.map(({ name, value }) => ({ name, value: webhookSecret(value) }));
  const shared = values.filter(({ value }, at) =>
    values.some((other, i) => i !== at && other.value === value),
  );
  if (shared.length === 0) return [];
  return [
    warning({
      what: `${shared.map(({ name }) => name).join(' and ')} are the same.`,
      why: 'If one of them leaks, the other is known too.',
      mend: 'Generate a separate one for each: openssl rand -base64 48',
    }),
  ];
}

function openWebhooks({ secrets, production }: Patient): Verdict[] {
  if (secrets.webhookAuth === undefined)
    return [
      warning({
        what: 'WEBHOOK_AUTH is not set: every webhook is rejected.',
        why: 'The shop then finds payments only through its own lookups, which takes longer.',
        mend: SETTING_HELP.WEBHOOK_AUTH.mend,
      }),
    ];
  if (secrets.webhookAuth.scheme !== 'none') return [];
  return [
    graver(production, {
      what: 'WEBHOOK_AUTH is none: every client may send webhooks.',
      why: 'A webhook alone proves no payment, but each one that names an order causes a database write and a lookup.',
      mend: SETTING_HELP.WEBHOOK_AUTH.mend,
    }),
  ];
}

function missingAdmin({ secrets, production }: Patient): Verdict[] {
  if (secrets.adminPassword !== undefined || !production) return [];
  return [
    note({
      what: 'ADMIN_PASSWORD is not set: the back office at /admin is disabled.',
      why: 'The back office lists the payments in review, which need the merchant’s decision.',
      mend: SETTING_HELP.ADMIN_PASSWORD.mend,
    }),
  ];
}
