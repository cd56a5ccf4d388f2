/** `npm run catalog`. */
import { runAsProcess } from './command-process.js';
import { runCatalog } from './run-catalog.js';

await runAsProcess(runCatalog);
