import type { DomElement } from './dom.js';

/** Shorter texts repeat by chance, and so do longer ones that are further apart. */
const MIN_REPEATED = 40;
const MIN_SHORTENED = 60;
const REPEATED_WITHIN = 4;
/** Shortened captions end with an ellipsis, whole ones with who took the picture. */
const MIN_SHARED = 0.8;

/** Takes out blocks that repeat one shortly before them, as captions do that are shown short and whole. */
export function removeRepeatedBlocks(blocks: DomElement[]): void {
  const recent: { block: DomElement; text: string }[] = [];
  for (const block of blocks) {
    const text = (block.textContent ?? '').replace(/\s+/g, ' ').trim();
    if (text.length < MIN_REPEATED) continue;
    const same = recent.findIndex((other) => isRepeated(other.text, text));
    const other = recent[same];
    if (other && text.length > other.text.length) {
      other.block.remove();
      recent[same] = { block, text };
    } else if (other) block.remove();
    else recent.push({ block, text });
    if (recent.length > REPEATED_WITHIN) recent.shift();
  }
}

function isRepeated(a: string, b: string): boolean {
  const shorter = Math.min(a.length, b.length);
  if (shorter < MIN_SHORTENED) return a === b;
  let shared = 0;
  while (shared < shorter && a[shared] === b[shared]) shared++;
  return shared >= shorter * MIN_SHARED;
}
