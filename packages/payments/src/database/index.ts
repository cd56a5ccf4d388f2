/** The entry of the database: what a shop needs of it beside the payments. */
export { compileOnce } from './compile-once.js';
export { type DatabaseOf, type Lease, type OnError, openDatabaseOf, type Tx } from './database.js';
export { isDatabaseError } from './database-error.js';
export { deleteExpiredRows, type ExpiringRows } from './delete-expired-rows.js';
export { isPostgres } from './dialects.js';
export type { Limit, Limiter, MakeLimiter } from './limits.js';
export { compareMigrations, migratorsOf, type NamedMigrator } from './run-migrations.js';
export { findOtherEncoding } from './server-encoding.js';
