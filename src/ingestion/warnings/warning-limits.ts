/** Warnings about files within the source; those about the source itself are always kept. */
export const MAX_OF_FILES = 10;
/** Pages of all warnings that are counted. */
export const MAX_PAGES = 100_000;
/** Ranges of pages that are kept, of all warnings. */
export const MAX_RANGES = 500;
/** Names of one warning that are kept. */
export const MAX_NAMES = 20;
/** Characters of a name. */
export const MAX_NAME = 200;
/** Characters of all names. */
export const MAX_NAMES_LENGTH = 4_000;
/** Characters of all warnings as JSON, with room for what is written between names and ranges. */
export const MAX_JSON = 48 * 1024;
