import type {
  EmbeddingStatus,
  LiveIndexStatus,
  OutboxStatus,
  PostingsStatus,
  SearchStatus,
  ServerStatus,
} from '../../search/operations/search-operations.js';
import { countOf, formatAge, formatBytes, formatCount, formatFields } from '../shared/format.js';

/** The status as an operator reads it. */
export function describeStatus(status: SearchStatus, now: Date): string {
  const { server, index, changes, postings, embedding } = status;
  return `${describeService(status)}\n\n${formatFields([
    ...(server ? serverFields(server, status.reason) : []),
    ...(index ? indexFields(index, status.chunks, now) : []),
    ...(changes ? changesFields(changes, now) : []),
    ...postingsFields(postings),
    ...(embedding ? embeddingFields(embedding) : []),
  ])}`;
}

/** How far texts are embedded, and what that has cost. */
export function embeddingFields(embedding: EmbeddingStatus): [string, string][] {
  const { model, url, dimensions, scripts, filled, next, waiting, failed, errors, texts, tokens } = embedding;
  const following = next ? `; ${next} takes its place when all texts are embedded` : '';
  const failures = [
    `${countOf(failed, 'text')} failed:`,
    ...errors.map(({ chunkId, error }) => `${chunkId}: ${error}`),
    ...(failed > errors.length ? ['…'] : []),
  ];
  return [
    ['embeddings', `${model} at ${url}, ${countOf(dimensions, 'dimension')}${following}`],
    ['scripts', scripts.join(', ') || 'none: questions are answered by words alone'],
    ['to embed', waiting > 0 ? countOf(waiting, 'text') : filled ? 'nothing' : 'what was there before'],
    ...(failed > 0 ? [['', failures.join('\n')] as [string, string]] : []),
    ['embedded', `${countOf(texts, 'text')}, ${countOf(tokens, 'token')} so far`],
  ];
}

function postingsFields({ segments, changes, stale }: PostingsStatus): [string, string][] {
  const waiting = changes > 0 ? `, ${countOf(changes, 'change')} to be merged` : '';
  return [
    ['postings', `${countOf(segments, 'segment')} in PostgreSQL${waiting}`],
    ...(stale > 0
      ? [
          ['', `${countOf(stale, 'chunk')} to be analyzed again, which a running server does`] as [
            string,
            string,
          ],
        ]
      : []),
  ];
}

function describeService({ engine, served, reason, fallback }: SearchStatus): string {
  if (served) return `Searches are answered by ${engine}.`;
  const instead = fallback ? 'PostgreSQL answers searches instead.' : 'Searches are not answered.';
  return `${instead} ${reason ?? ''}`.trim();
}

function serverFields(
  { url, reachable, error, version }: ServerStatus,
  reason: string | null,
): [string, string][] {
  const seen = [reachable ? 'reachable' : 'not reachable', ...(version ? [`version ${version}`] : [])];
  return [
    ['server', `${url}: ${seen.join(', ')}`],
    ...(error && error !== reason ? [['', error] as [string, string]] : []),
  ];
}

function indexFields(index: LiveIndexStatus, chunks: number, now: Date): [string, string][] {
  const { uid, state, documents, documentBytes, settingsDifferences, filling, rebuild } = index;
  const size = documentBytes === null ? '' : `, ${formatBytes(documentBytes)} as stored`;
  return [
    ['index', `${uid}: ${describeState(state, filling)}`],
    [
      'documents',
      `${documents === null ? 'unknown' : formatCount(documents)} for ${countOf(chunks, 'chunk')}${size}`,
    ],
    ...(rebuild ? [['rebuild', describeRebuild(rebuild, now)] as [string, string]] : []),
    ...(settingsDifferences === null
      ? []
      : [['settings', describeSettings(settingsDifferences)] as [string, string]]),
  ];
}

function describeState(state: LiveIndexStatus['state'], filling: LiveIndexStatus['filling']): string {
  const far = filling ? ` (${formatCount(filling.done)} of ${countOf(filling.total, 'chunk')})` : '';
  return {
    complete: 'complete',
    filling: `being filled${far}`,
    incomplete: 'incomplete; a running server backfills it',
    missing: 'missing; create it with: lectern search reindex',
    unknown: 'unknown',
  }[state];
}

function describeRebuild({ uid, phase, copied, total, startedTime }: RebuildStatus, now: Date): string {
  const far =
    phase === 'copying' ? `${formatCount(copied)} of ${countOf(total, 'chunk')} copied` : 'finishing';
  return `${uid}: ${far}, begun ${formatAge(startedTime, now)} ago; if no process works on it, lectern search reindex resumes it`;
}
type RebuildStatus = NonNullable<LiveIndexStatus['rebuild']>;

const describeSettings = (differences: number): string =>
  differences === 0
    ? 'as they should be'
    : `${countOf(differences, 'difference')}; see them with: lectern search settings`;

function changesFields(changes: OutboxStatus, now: Date): [string, string][] {
  const { waiting, sent, oldestTime, setAside, syncedTime, error } = changes;
  const age = oldestTime ? `, the oldest ${formatAge(oldestTime, now)} old` : '';
  return [
    [
      'waiting',
      waiting === 0 ? 'nothing' : `${countOf(waiting, 'change')}, ${formatCount(sent)} of them sent${age}`,
    ],
    [
      'quarantined',
      setAside.count === 0
        ? 'nothing'
        : [
            `${countOf(setAside.count, 'chunk')} that the search server does not take`,
            ...setAside.first.map((one) => `${one.chunkId}: ${one.error}`),
            ...(setAside.count > setAside.first.length ? ['…'] : []),
          ].join('\n'),
    ],
    ['last sync', syncedTime ? `${formatAge(syncedTime, now)} ago` : 'never; a running server does it'],
    ...(error
      ? [
          ['last error', `${error.time ? `${formatAge(error.time, now)} ago: ` : ''}${error.message}`] as [
            string,
            string,
          ],
        ]
      : []),
  ];
}
