/** `npm run admin`. */
import { runAsProcess } from './command-process.js';
import { runAdmin } from './run-admin.js';

await runAsProcess(runAdmin);
