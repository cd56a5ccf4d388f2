/** Checks `.env` and `.env.example` for unsafe or unknown contents. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import dotenv from 'dotenv';
import { SECRETS, settingsSchema } from '../../../src/settings.js';
import { error, graver, ok, type Verdict, warning } from '../finding.js';
import type { Patient } from '../patient.js';

export function lookAtSettingFiles(patient: Patient): readonly Verdict[] {
  const verdicts = [...secretsInExample(patient), ...unknownNames(patient), ...readable(patient)];
  return verdicts.length > 0 ? verdicts : [ok('The setting files are in order.')];
}

function valuesIn({ projectDirectory }: Patient, name: string): Readonly<Record<string, string>> {
  const path = join(projectDirectory, name);
  return existsSync(path) ? dotenv.parse(readFileSync(path)) : {};
}

function secretsInExample(patient: Patient): Verdict[] {
  const example = valuesIn(patient, '.env.example');
  const held = [...SECRETS, 'SMTP_URL' as const].filter((name) => example[name]);
  if (held.length === 0) return [];
  const used = held.filter((name) => example[name] === patient.given[name]);
  const trouble = {
    what: `.env.example holds a value of ${held.join(', ')}${used.length > 0 ? ', the very one in use' : ''}.`,
    why: 'The file is committed with the code, so every reader of the code knows the secret.',
    mend: 'Remove the value, set it in .env, and replace the secret: the git history still contains it.',
  };
  return [used.length > 0 ? error(trouble) : warning(trouble)];
}

/** Settings of the simulator and the tests. */
const OTHERS = /^(?:SIMULATOR_|TEST_|CHROMIUM_PATH$|TZ$|NODE_)/;

function unknownNames(patient: Patient): Verdict[] {
  const known = Object.keys(settingsSchema.shape);
  const unknown = Object.keys(valuesIn(patient, '.env')).filter(
    (name) => !known.includes(name) && !OTHERS.test(name),
  );
  if (unknown.length === 0) return [];
  return [
    warning({
      what: `.env has names that the shop does not know: ${unknown.join(', ')}.`,
      why: 'A mistyped name leaves its setting at the default.',
      mend: 'Compare them with .env.example and remove the unknown names.',
    }),
  ];
}

function readable({ projectDirectory, production }: Patient): Verdict[] {
  const path = join(projectDirectory, '.env');
  if (!production || !existsSync(path) || (statSync(path).mode & 0o077) === 0) return [];
  return [
    graver(false, {
      what: '.env can be read by other users of this machine.',
      why: 'It contains the secrets of the shop.',
      mend: 'Run chmod 600 .env. The owner must be the user account of the shop.',
    }),
  ];
}
