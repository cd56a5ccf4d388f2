// Builds, then starts in this same process, so that a signal sent to it reaches the shop.
import './build.js';

if (!process.exitCode) await import(new URL('../dist/start.js', import.meta.url).href);
