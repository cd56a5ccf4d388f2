import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { linkPackages } from '../support/link-packages.js';
import { commitAll, copyProject, run } from '../support/project-copy.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const DELETABLE = ['bench', 'contract', 'doctor', 'drill', 'features', 'setup'];

/** The import rules forbid imports between these tools, so deleting all at once covers each of them. */
test('without bench, contract, doctor, drill, features and setup the project compiles, has no further unused code and passes the tests of its documents', () => {
  const copy = copyProject();
  try {
    linkPackages(copy);
    for (const tool of DELETABLE) rmSync(join(copy, 'tools', tool), { recursive: true, force: true });
    commitAll(copy);

    const types = run(copy, 'node', 'node_modules/@typescript/native/bin/tsc', '-p', 'tsconfig.json');
    // The packages that only they used are still installed.
    const knip = ['knip', '--no-config-hints', '--exclude', 'dependencies'];
    const unused = run(copy, 'npx', ...knip);
    const documents = run(copy, 'npm', 'test', '--', 'test/template/docs', 'test/template/cases', '--passWithNoTests');

    expect([types, documents]).toMatchObject([{ code: 0 }, { code: 0 }]);
    // A shop that removed a feature may have unused exports.
    if (unused.code !== 0) expect(unused).toEqual(run(root, 'npx', ...knip));
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
});
