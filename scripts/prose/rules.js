/*
 * What plain English avoids: a pattern in linear time, the reason, and what to write instead.
 * The first group is for messages of the program too, the rest for documents.
 */

/** Archaic turns, and sentences in an order that nobody speaks. */
export const INVERTED_ENGLISH = [
  {
    name: 'such',
    pattern: /(?<!\bno )\bsuch\b(?!\s+as\b)|\bsuch\s+as\s+(?:are|do|does|has|have|is|was|were)\b/gi,
    say: 'say which: "these", "a file of this kind"; "such as" before examples and "no such" are fine',
  },
  {
    name: 'that-there-is',
    pattern: /\b(?:that|what|which)\s+there\s+(?:is|are|was|were)\b(?!\s+(?:a|an|no)\b)/gi,
    say: 'begin with the thing: "a tenant that does not exist", "all keys"',
  },
  { name: 'of-which', pattern: /\bof\s+(?:which|whom)\b/gi, say: 'make two sentences, or say "whose"' },
  {
    name: 'is-of',
    pattern: /\b(?:that|which|none|nothing)\b(?:\s+\w+){0,3}\s+(?:is|are)\s+of\b/gi,
    say: 'say "has", "belongs to" or "comes from"',
  },
  {
    name: 'verb-before-subject',
    pattern:
      /\b(?:nor|not\s+only|only\s+then)\s+(?:are|can|could|did|do|does|had|has|have|is|may|must|was|were|will)\b|\bso\s+(?:are|did|do|does|has|have|is)\s+(?!not\b)\w/gi,
    say: 'put the subject first: "it does not … either", "… too"',
  },
  {
    name: 'has-not',
    pattern: /\b(?:had|has|have)\s+not\b(?=\s*(?:[.,;:)]|$))/gi,
    say: 'say "does not have", "lacks"',
  },
  {
    name: 'but-for-except',
    pattern:
      /\b(?:all|any|anyone|anything|everybody|everyone|everything|none|nobody|nothing)\s+but\b|\b(?:save|but)\s+for\b/gi,
    say: 'say "except"',
  },
  {
    name: 'archaic-word',
    pattern:
      /\b(?:aforementioned|albeit|amongst|anew|aught|ere|for\s+ever|forthwith|heretofore|hence|henceforth|hereby|herein|hitherto|insofar|lest|naught|notwithstanding|ought|shall|thence|thereby|therefrom|therein|thereof|thereto|thereupon|upon|whence|whereby|wherefore|wherein|whereof|whereupon|whilst|whither)\b/gi,
    say: 'say "so", "must", "because", "in it", "on", "while", "again"',
  },
  {
    name: 'archaic-turn',
    pattern: /\b(?:be\s+had|be\s+it|as\s+of\s+(?:a|an|the))\b/gi,
    say: 'say "available", "whether", "such as that of"',
  },
];

const DOCUMENTS_ONLY = [
  { name: 'in-order-to', pattern: /\bin\s+order\s+to\b/gi, say: 'say "to"' },
  {
    name: 'filler',
    pattern: /\b(?:please|simply|just|easily|obviously|of\s+course)\b/gi,
    say: 'leave it out; "only" for "just" that limits',
  },
  {
    name: 'latin',
    pattern:
      /\b(?:e\.g\.|i\.e\.|etc\b|viz\.|cf\.|vs\b|per\s+se|vice\s+versa|ad\s+hoc|inter\s+alia|et\s+al\b)/gi,
    say: 'say "for example", "that is", "and so on", "compare", "the other way round"',
  },
  { name: 'click-on', pattern: /\bclick(?:s|ed|ing)?\s+on\b/gi, say: 'say "click"' },
  { name: 'exclamation-mark', pattern: /[\p{L}\p{N})]!(?=\s|$)/gu, say: 'end with a full stop' },
  { name: 'double-space', pattern: /(?<=[^\s]) {2,3}(?=[^\s])/g, say: 'write one space' },
  {
    name: 'passive-with-actor',
    // Without those that name no actor: "sorted by time", "identified by an id".
    pattern:
      /\b(?:is|are|was|were|be|been|being)\s+(?!(?:divided|filtered|followed|grouped|identified|limited|multiplied|ordered|preceded|ranked|replaced|sorted|weighted)\b)(?:\p{L}+ed|chosen|done|found|given|held|known|kept|made|read|run|seen|sent|set|shown|taken|told|written)\s+by\s+(?:a|an|the|its|their|others?|another|anyone|nobody|each|every|one|all)\b/giu,
    say: 'make what acts the subject: "the server checks it"',
  },
  {
    name: 'private-word',
    pattern:
      /\b(?:tells?|telling|told|walls?|houses?)\b|\b(?:a|an|the|its|their|own|whose)\s+(?:turns?|keeping)\b|\bin\s+turn\b/gi,
    say: 'use the term of the field: "says", "reports", "isolation", "queue", "retention"',
  },
];

/** Instructions and facts are in the present. */
const FUTURE = {
  name: 'future-tense',
  pattern: /\b(?:will|won't)\b/gi,
  say: 'use the present: "the server answers"',
  files: /\bdocs\/guide\/(?:how-to|reference)\//,
};

export const PROSE = [...INVERTED_ENGLISH, ...DOCUMENTS_ONLY, FUTURE];

export const MAX_WORDS = 30;
/** Words with a capital in headings. */
export const NAMES =
  /^(?:Apache|Azure|Chinese|Chromium|Citus|Cloud|Compose|Dify|Docker|English|Entra|Google|Grafana|Helm|Karakeep|Kubernetes|Lectern|Linux|Markdown|Meilisearch|Node|Ollama|Onyx|Podman|Prometheus|Python|Swagger|Tesseract|Tika|Unreleased|Windows)$/;
