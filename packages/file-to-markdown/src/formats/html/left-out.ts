import { ancestorsOf, within } from './ancestors-of.js';
import type { DomDocument } from './dom.js';
import { measureText } from './text-measures.js';

const HEADING = 'h1, h2, h3, h4, h5, h6';
const BLOCK = 'p, li, dd, td, blockquote, pre, figcaption, div';
/** What nobody misses. */
const AROUND =
  'nav, header, footer, form, [role="navigation"], [role="banner"], [role="contentinfo"], [role="dialog"]';
const SENTENCE_END = /[.!?](?=\s|$)|[。！？]/g;
const WORD = /[\p{L}\p{N}]+/gu;
/** So many words in a row occur once. */
const RUN = 6;
const MIN_SENTENCES = 5;
/** Of the sentences of a section. */
const MIN_LOST = 0.9;
/** Teasers have more of their text in links. */
const MAX_LINKED = 0.2;
const MAX_NAME = 100;

interface Block {
  section: string;
  sentences: number;
  /** By which it is found again. */
  run: string;
}

/** The sentences of a page by blocks, each with its section: the heading above, or under the page's own one an id. */
export function sentencesOf(document: DomDocument): Block[] {
  const measures = measureText(document.body);
  const around = within(document, AROUND);
  const aroundBlocks = ancestorsOf(document, `${HEADING}, ${BLOCK}`);
  const blocks: Block[] = [];
  let heading: string | undefined = '';
  for (const element of document.querySelectorAll(`${HEADING}, ${BLOCK}`)) {
    if (around.has(element)) continue;
    if (/^h[1-6]$/.test(element.localName)) {
      // A heading that is a link is of another page.
      const isTeaser = element.closest('a') !== null || measures.of(element).linked > 0;
      heading = isTeaser ? undefined : element.localName === 'h1' ? '' : oneLine(element.textContent);
      continue;
    }
    const { text, linked } = measures.of(element);
    if (heading === undefined || aroundBlocks.has(element) || linked > text * MAX_LINKED) continue;
    const sentences = element.textContent?.match(SENTENCE_END)?.length ?? 0;
    if (sentences === 0) continue;
    const section = heading || oneLine(element.closest('[id]')?.getAttribute('id') ?? '');
    if (section) blocks.push({ section, sentences, run: runIn(element.textContent ?? '') });
  }
  return blocks;
}

/** The sections of a page that are not in its Markdown, and hold more than a few sentences. */
export function sectionsLeftOut(blocks: readonly Block[], markdown: string): string[] {
  const found = runsIn(markdown, new Set(blocks.map(({ run }) => run)));
  const sections = new Map<string, { all: number; lost: number }>();
  for (const { section, sentences, run } of blocks) {
    const counted = sections.get(section) ?? { all: 0, lost: 0 };
    counted.all += sentences;
    if (!found.has(run)) counted.lost += sentences;
    sections.set(section, counted);
  }
  return [...sections]
    .filter(([, { all, lost }]) => lost >= MIN_SENTENCES && lost >= all * MIN_LOST)
    .map(([section]) => section);
}

/** From the middle: the ends of blocks are where labels and notes stand. */
function runIn(text: string): string {
  const words = wordsOf(text);
  const from = Math.max(0, Math.floor((words.length - RUN) / 2));
  return words.slice(from, from + RUN).join(' ');
}

function runsIn(text: string, wanted: ReadonlySet<string>): Set<string> {
  const lengths = new Set([...wanted].map((run) => run.split(' ').length));
  const words = wordsOf(text);
  const found = new Set<string>();
  for (let from = 0; from < words.length; from++) {
    for (const length of lengths) {
      const run = words.slice(from, from + length).join(' ');
      if (wanted.has(run)) found.add(run);
    }
  }
  return found;
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(WORD) ?? [];

const oneLine = (text: string | null): string =>
  (text ?? '')
    .replace(/[\s¶]+/g, ' ')
    .trim()
    .slice(0, MAX_NAME);
