import { rmSync } from 'node:fs';

/** Removes the database templates of the test run. */
// biome-ignore lint/style/noDefaultExport: Jest asks for one.
export default function globalTeardown(): void {
  rmSync(process.env['TEST_TEMPLATES'] ?? '', { recursive: true, force: true });
}
