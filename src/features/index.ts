import { addressChanges } from './address-changes/feature.js';
import type { Feature } from './feature.js';
import { findOrder } from './find-order/feature.js';
import { health } from './health/feature.js';
import { invoices } from './invoices/feature.js';
import { merchantMails } from './merchant-mails/feature.js';
import { merchantOrders } from './merchant-orders/feature.js';
import { metrics } from './metrics/feature.js';
import { notes } from './notes/feature.js';
import { orderActions } from './order-actions/feature.js';
import { orderExport } from './order-export/feature.js';
import { orderJobs } from './order-jobs/feature.js';
import { payLink } from './pay-link/feature.js';
import { pictures } from './pictures/feature.js';
import { products } from './products/feature.js';
import { refunds } from './refunds/feature.js';
import { reminders } from './reminders/feature.js';
import { retention } from './retention/feature.js';
import { sales } from './sales/feature.js';
import { searchEngines } from './search-engines/feature.js';
import { shipments } from './shipments/feature.js';
import { users } from './users/feature.js';

/** The features of the shop. To remove one, delete its folder and its name here. Pages show sections in this order. */
export const FEATURES: readonly Feature[] = [
  payLink,
  findOrder,
  merchantOrders,
  merchantMails,
  addressChanges,
  notes,
  shipments,
  reminders,
  invoices,
  refunds,
  orderActions,
  orderJobs,
  orderExport,
  sales,
  health,
  products,
  pictures,
  users,
  metrics,
  searchEngines,
  retention,
];
