// Builds, then starts in the same process, so that the example receives signals.
import './build.js';

if (!process.exitCode) await import(new URL('../../dist/tools/dev/start-example.js', import.meta.url).href);
