/** Whether what must be unguessable is. */
import { isExample, SECRETS, type Settings } from '../../settings.js';
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
    ...missingDesk(patient),
  ];
  return verdicts.some(({ level }) => level !== 'note')
    ? verdicts
    : [...verdicts, ok('No secret is an example, short or used twice.')];
}

interface Secret {
  readonly name: keyof Settings & string;
  readonly value: string;
}

/** What guessing would take, not what typing took: the forms of WEBHOOK_AUTH are no secret. */
const FORM = /^(?:bearer:|basic:[^:]*:|header:[^:]*:)/;
const LEAST_CHARACTERS = 16;
const LEAST_DIFFERENT = 8;
const COMMON = /^(?:admin|password|contrase|tianguis|tienda|qwerty|abc123|123456|letmein|welcome|bienvenid)/i;

function weakness({ name, value }: Secret, { production }: Patient): Verdict[] {
  if (value === 'none') return [];
  // What production refuses is told with the settings themselves.
  if (isExample(value))
    return production ? [] : [warning({ what: `${name} is an example.`, ...KNOWN_TO_ALL })];
  const fault = faultOf(name, value.replace(FORM, ''));
  return fault === undefined ? [] : [warning({ what: `${name} ${fault}.`, ...SETTING_HELP[name] })];
}

const KNOWN_TO_ALL = {
  why: 'It stands in public documentation; production refuses it.',
  mend: 'Make one of your own before you go live; for the simulator it will do.',
};

function faultOf(name: string, secret: string): string | undefined {
  const isPassword = name === 'ADMIN_PASSWORD';
  if (!isPassword && secret.length < LEAST_CHARACTERS) return 'is short: a machine may guess it';
  if (new Set(secret).size < LEAST_DIFFERENT) return 'repeats few characters: a machine may guess it';
  return isPassword && COMMON.test(secret) ? 'begins with a word that is tried first' : undefined;
}

function sharedSecrets(given: readonly Secret[]): Verdict[] {
  const values = given.map(({ name, value }) => ({ name, value: value.replace(FORM, '') }));
  const shared = values.filter(({ value }, at) =>
    values.some((other, i) => i !== at && other.value === value),
  );
  if (shared.length === 0) return [];
  return [
    warning({
      what: `${shared.map(({ name }) => name).join(' and ')} are the same.`,
      why: 'Whoever learns one of them has the other too.',
      mend: 'Give each its own: openssl rand -base64 48',
    }),
  ];
}

function openWebhooks({ secrets, production }: Patient): Verdict[] {
  if (secrets.webhookAuth === undefined)
    return [
      warning({
        what: 'WEBHOOK_AUTH is not set: every message of the service is turned away.',
        why: 'Payments are then found by the shop’s own looking alone, which is slower.',
        mend: SETTING_HELP.WEBHOOK_AUTH.mend,
      }),
    ];
  if (secrets.webhookAuth.scheme !== 'none') return [];
  return [
    graver(production, {
      what: 'WEBHOOK_AUTH is none: anyone may send messages.',
      why: 'Nothing is believed for a message, but each one makes the shop write and ask the service.',
      mend: SETTING_HELP.WEBHOOK_AUTH.mend,
    }),
  ];
}

function missingDesk({ secrets, production }: Patient): Verdict[] {
  if (secrets.adminPassword !== undefined || !production) return [];
  return [
    note({
      what: 'ADMIN_PASSWORD is not set: there is no desk at /admin.',
      why: 'Payments that only a person can decide wait there.',
      mend: SETTING_HELP.ADMIN_PASSWORD.mend,
    }),
  ];
}
