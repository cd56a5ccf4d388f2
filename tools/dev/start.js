// Builds, then starts in the same process, so that the shop receives signals.
import './build.js';

if (!process.exitCode) await import(new URL('../../dist/tools/dev/start-shop.js', import.meta.url).href);
