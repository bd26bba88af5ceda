import { expect, test } from 'vitest';
import { createActivity } from './activity.js';
import { BUCKET_COUNT, bucketOf } from './histogram.js';

const MINUTE = 60_000;
const START = 1_000 * MINUTE;

function startClock() {
  let now = START + 5_000;
  return {
    now: () => now,
    pass(ms: number) {
      now += ms;
    },
  };
}

const latencies = (...ms: number[]) => {
  const buckets = Array<number>(BUCKET_COUNT).fill(0);
  for (const one of ms) buckets[bucketOf(one)]! += 1;
  return buckets;
};
const nothing = {
  documentsReady: 0,
  documentsFailed: 0,
  chunks: 0,
  searches: 0,
  searchesFailed: 0,
  searchLatencies: latencies(),
};

test('counts by tenant and minute, and in total', () => {
  const { now, pass } = startClock();
  const activity = createActivity({ now });
  activity.countDocuments('acme', { ready: 2, chunks: 7 });
  activity.countSearch('acme', { ms: 12, isFailed: false });
  activity.countSearch('beta', { ms: 1_500, isFailed: true });
  pass(MINUTE);
  activity.countDocuments('acme', { failed: 1 });
  expect(activity.takeChanged()).toMatchObject([
    {
      tenantId: 'acme',
      minute: START,
      counts: { ...nothing, documentsReady: 2, chunks: 7, searches: 1, searchLatencies: latencies(12) },
    },
    { tenantId: 'beta', minute: START, counts: { ...nothing, searches: 1, searchesFailed: 1 } },
    { tenantId: 'acme', minute: START + MINUTE, counts: { ...nothing, documentsFailed: 1 } },
  ]);
  expect(activity.totals()).toEqual({
    documentsReady: 2,
    documentsFailed: 1,
    chunks: 7,
    searches: 2,
    searchesFailed: 1,
    searchLatencies: latencies(12),
  });
});

test('gives what has changed, with all of its minute', () => {
  const { now } = startClock();
  const activity = createActivity({ now });
  activity.countDocuments('acme', { ready: 1 });
  expect(activity.takeChanged()).toHaveLength(1);
  expect(activity.takeChanged()).toEqual([]);
  activity.countDocuments('acme', { ready: 1 });
  expect(activity.takeChanged()).toMatchObject([{ counts: { documentsReady: 2 } }]);
});

test('what could not be stored is given again', () => {
  const { now, pass } = startClock();
  const activity = createActivity({ now });
  activity.countDocuments('acme', { ready: 1 });
  pass(MINUTE);
  const unstored = activity.takeChanged();
  activity.keep(unstored);
  expect(activity.takeChanged()).toMatchObject(unstored);
  expect(activity.takeChanged()).toEqual([]);
});

test('the oldest minutes are forgotten where there are too many, and new tenants in a minute of too many', () => {
  const { now, pass } = startClock();
  const activity = createActivity({ now, maxCells: 3 });
  activity.countDocuments('acme', { ready: 1 });
  activity.countDocuments('beta', { ready: 1 });
  pass(MINUTE);
  for (const tenant of ['acme', 'beta', 'gamma', 'delta']) activity.countDocuments(tenant, { ready: 1 });
  expect(activity.takeChanged().map(({ tenantId, minute }) => [tenantId, minute - START])).toEqual([
    ['acme', MINUTE],
    ['beta', MINUTE],
    ['gamma', MINUTE],
  ]);
  expect(activity.totals().documentsReady).toBe(6);
});
