import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates the folder of the database templates, `TEST_TEMPLATES`. It is removed when the process exits. */
export default function createTemplatesFolder(): void {
  const folder = mkdtempSync(join(tmpdir(), 'tianguis-templates-'));
  process.env['TEST_TEMPLATES'] = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
}
