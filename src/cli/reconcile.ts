/** `npm run reconcile`. */
import { runAsProcess } from './command-process.js';
import { runReconcile } from './run-reconcile.js';

await runAsProcess(runReconcile);
