import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates the folder of the database templates, `TEST_TEMPLATES`. Returns the function that removes it after the tests. */
export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'tianguis-templates-'));
  process.env['TEST_TEMPLATES'] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
