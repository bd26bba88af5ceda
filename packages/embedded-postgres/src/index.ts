export { findDatabaseFolder } from './data-folder.js';
export { EmbeddedPostgresError, type EmbeddedPostgresErrorCode } from './errors.js';
export { type PreparedPostgres, preparePostgres } from './prepare-postgres.js';
export { type EmbeddedPostgres, type StartOptions, startPostgres } from './start-postgres.js';
