import { join } from 'node:path';
import { findSampleTexts } from '../../../src/content/sample-texts.js';
import type { DoctorContext, Problem } from '../check.js';

/** Checks that no legal page and no value of the merchant is a sample. Samples are for development. */
export function checkSampleTexts(context: DoctorContext): Problem | undefined {
  const { config, production, projectDirectory } = context;
  const samples = production ? findSampleTexts(join(projectDirectory, 'content'), config.locales) : [];
  if (samples.length === 0) return undefined;
  return {
    level: 'error',
    what: `Texts of the sample shop remain. ${samples.join('. ')}.`,
    why: 'The shop does not start in production, because customers would read them.',
    fix: 'Write your own texts, with the help of a lawyer, and enter the merchant in src/locales/brand.ts.',
  };
}
