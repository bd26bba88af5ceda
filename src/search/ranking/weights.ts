/*
 * The parameters of BM25: of those that lose no more than 0.001 nDCG@10 on any of eleven public test collections
 * against k1 0.9 and b 0.4 without pairs, those with the highest mean. The optimum is flat.
 */

/** Saturation of a term's frequency in a chunk. */
export const K1 = 1;
/** How far the length of a chunk counts: 0 is not at all, 1 in full. */
export const B = 0.6;
/** Saturation of a term's frequency in the query. */
export const K3 = 2;
/** Weight of a pair of neighbouring words, as a share of the weight of its rarer word. */
export const PAIR_WEIGHT = 0.2;
