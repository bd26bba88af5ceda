import type { Hit } from '../datasets.js';
import { describeHit } from '../describe-hit.js';

/* The limits of OpenAI. */
const MAX_ATTRIBUTES = 16;
const MAX_KEY = 64;
const MAX_TEXT = 512;

type Attribute = string | number | boolean;

/** What is told of a hit, and as many custom properties of its document as there is room for. */
export function toAttributes(hit: Hit): Record<string, Attribute> {
  const own = describeHit(hit);
  const properties = Object.entries(hit.customProperties ?? {}).filter(
    (entry): entry is [string, Attribute] =>
      !Object.hasOwn(own, entry[0]) && entry[0].length <= MAX_KEY && isAttribute(entry[1]),
  );
  const all = [...Object.entries(own), ...properties].slice(0, MAX_ATTRIBUTES);
  return Object.fromEntries(all.map(([key, value]) => [key, cut(value)]));
}

const isAttribute = (value: unknown): value is Attribute =>
  ['string', 'number', 'boolean'].includes(typeof value);

/** Without half a character at the end. */
const cut = (value: Attribute): Attribute =>
  typeof value === 'string' && value.length > MAX_TEXT
    ? value.slice(0, MAX_TEXT).replace(/[\ud800-\udbff]$/, '')
    : value;
