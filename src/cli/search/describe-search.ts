import type { ChunkExplanation, Explanation } from '../../search/operations/explain.js';
import type { SearchHit } from '../../services/search/search.schema.js';
import { countOf, formatCount, formatFields, formatTable, shorten } from '../shared/format.js';

const SHOWN_CHARACTERS = 300;

/** What the search did without, and hits as an operator reads them: what each is, where it stands, how it begins. */
export const describeHits = (hits: SearchHit[], notes: string[]): string =>
  [...notes.map((note) => `${note}\n`), describeFound(hits)].join('\n');

function describeFound(hits: SearchHit[]): string {
  if (hits.length === 0) return 'Nothing found.\n';
  return hits
    .map(({ id, documentId, documentName, datasetIds, score, content, context }, i) => {
      const name = documentName || 'without a name';
      return `${i + 1}. ${name}\n${formatFields([
        ['score', score.toFixed(4)],
        ['chunk', id],
        ['document', `${documentId} in ${datasetIds.join(', ')}`],
        ['text', shorten(content, SHOWN_CHARACTERS)],
        ...describeContext(context, hits),
      ])}`;
    })
    .join('\n');
}

/** Where hits touch, the best one has the text around them. */
function describeContext(context: SearchHit['context'], hits: SearchHit[]): [string, string][] {
  if (!context) return [];
  const { text, sameAs } = context;
  return [['context', text ?? `that of hit ${hits.findIndex(({ id }) => id === sameAs) + 1}`]];
}

/** What was looked for, what the index proposed, and how one chunk stands among it. */
export function describeExplanation({
  engine,
  mode,
  terms,
  chunks,
  hits,
  truncated,
  chunk,
}: Explanation): string {
  const parts = [
    terms.length === 0
      ? 'No term is left of the question.\n'
      : `Terms, rarest first, and how many of the datasets' ${countOf(chunks, 'chunk')} hold each:\n\n${formatTable(
          ['term', 'chunks'],
          terms.map(({ term, chunks: holders }) => [term, formatCount(holders)]),
        )}`,
    hits.length === 0
      ? `${engine} proposes nothing.\n`
      : `Proposed by ${engine}${mode === 'lexical' ? '' : ' and by meaning'}, ranked:\n\n${formatHits(hits)}`,
    ...(truncated ? ['More matches than one search reads: the least relevant were left out.\n'] : []),
    ...(chunk ? [describeChunk(chunk)] : []),
  ];
  return parts.join('\n');
}

/** Without columns that all hits leave empty. */
function formatHits(hits: Explanation['hits']): string {
  const parts = SCORE_PARTS.filter((part) => hits.some((hit) => hit[part] !== null));
  const isAdded = hits.some(({ logOdds }) => logOdds !== null);
  return formatTable(
    ['rank', 'score', ...parts, ...(isAdded ? ['log odds'] : []), 'chunk'],
    hits.map((hit, i) => [
      String(i + 1),
      hit.score.toFixed(4),
      ...parts.map((part) => formatPart(hit[part])),
      ...(isAdded ? [formatSum(hit)] : []),
      hit.chunkId,
    ]),
  );
}

const SCORE_PARTS = ['words', 'meaning', 'rerank'] as const;
/** How the parts of a score add up to its logarithmic odds. */
function formatSum({ logOdds }: Explanation['hits'][number]): string {
  if (!logOdds) return '–';
  const { base, words, meaning } = logOdds;
  const parts = [words, meaning].map((part) => `${part < 0 ? '-' : '+'} ${Math.abs(part).toFixed(2)}`);
  return `${base.toFixed(2)} ${parts.join(' ')} = ${(base + words + meaning).toFixed(2)}`;
}

const formatPart = (value: number | null): string => value?.toFixed(4) ?? '–';

function describeChunk({ chunkId, rank, score, held, missed, reasons, ...parts }: ChunkExplanation): string {
  const found =
    rank === null ? 'is not found' : `is found at rank ${rank} with a score of ${score?.toFixed(4)}`;
  return `Chunk ${chunkId} ${found}.\n\n${formatFields([
    ['holds', held.join(' ') || 'none of the terms'],
    ['lacks', missed.join(' ') || 'none of the terms'],
    ...SCORE_PARTS.flatMap((part): [string, string][] =>
      parts[part] === null ? [] : [[part, formatPart(parts[part])]],
    ),
    ...(reasons.length > 0 ? [['why', reasons.join('\n')] as [string, string]] : []),
  ])}`;
}
