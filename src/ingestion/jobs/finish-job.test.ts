import { expect, test } from 'vitest';
import type { ClaimedJob } from './claim-job.js';
import { afterFailure, afterOutage } from './finish-job.js';

const job: ClaimedJob = {
  tenantId: 'acme',
  documentId: 'document',
  lane: 'small',
  sequence: 1,
  leaseOwner: 'worker',
  attempts: 0,
  outages: 0,
  deaths: 0,
  traceparent: null,
};

test('pauses grow from failure to failure', () => {
  const outcomes = [0, 1, 2, 3].map((attempts) => afterFailure({ ...job, attempts }));
  expect(outcomes).toEqual([1, 2, 3, 4].map((attempts) => ({ attempts, pauseSeconds: Math.exp(attempts) })));
});

test('pauses grow from outage to outage, up to ten minutes, and no attempt is used up', () => {
  const outcomes = [0, 1, 2, 3, 4, 5, 6, 7, 100].map((outages) => afterOutage({ ...job, outages }));
  expect(outcomes).toEqual(
    [5, 10, 20, 40, 80, 160, 320, 600, 600].map((pauseSeconds, place) => ({
      outages: place === 8 ? 101 : place + 1,
      pauseSeconds,
    })),
  );
});
