/* The parameters of BM25, as they were chosen by evaluation (`npx lectern eval`). */

/** Saturation of a term's frequency in a chunk. */
export const K1 = 1.4;
/** How far the length of a chunk counts: 0 is not at all, 1 in full. */
export const B = 0.85;
/** Saturation of a term's frequency in the query. */
export const K3 = 2;
/** Weight of a pair of neighbouring words, beside 1 of a word. */
export const PAIR_WEIGHT = 0.3;
