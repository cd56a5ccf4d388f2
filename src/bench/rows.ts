import type { Row } from './row.js';
import { added, checkout, checkoutOnPostgres, parallel } from './rows/checkout.js';
import { growth, growthOnPostgres } from './rows/growth.js';
import { overload } from './rows/overload.js';
import { cart, catalogue } from './rows/pages.js';
import { processes } from './rows/processes.js';
import { memory, size, start } from './rows/start.js';

/** Everything that can be measured, in the order of the table. */
export const rows: readonly Row[] = [
  catalogue,
  cart,
  checkout,
  checkoutOnPostgres,
  parallel,
  added,
  start,
  memory,
  size,
  overload,
  growth,
  growthOnPostgres,
  processes,
];
