import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { commitAll, copyProject, run } from '../support/project-copy.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const DELETABLE = ['bench', 'contract', 'doctor', 'drill', 'setup'];

/** The import rules forbid imports between these tools, so deleting all at once covers each of them. */
test('without bench, contract, doctor, drill and setup the project compiles, has no further unused code and passes the tests of its documents', () => {
  const copy = copyProject();
  try {
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
    // A shop that removed a feature may have unused exports.
    const before = run(copy, 'npx', 'knip', '--no-config-hints');
    for (const tool of DELETABLE) rmSync(join(copy, 'tools', tool), { recursive: true, force: true });
    commitAll(copy);

    const types = run(copy, 'node', 'node_modules/@typescript/native/bin/tsc', '-p', 'tsconfig.json');
    const unused = run(copy, 'npx', 'knip', '--no-config-hints');
    const documents = run(copy, 'npm', 'test', '--', 'test/template/docs', 'test/template/cases', '--passWithNoTests');

    expect([types, unused, documents]).toMatchObject([{ code: 0 }, before, { code: 0 }]);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
});
