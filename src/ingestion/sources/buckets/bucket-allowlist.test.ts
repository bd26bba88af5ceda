import { expect, it } from 'vitest';
import { createBucketAllowlist } from './bucket-allowlist.js';

const s3 = (bucket: string, path: string) => ({ storageType: 's3' as const, bucket, path });
const gcs = (bucket: string, path: string) => ({ storageType: 'gcs' as const, bucket, path });

it('allows all buckets by default', () => {
  expect(createBucketAllowlist()(s3('any', 'a.pdf'))).toBe(true);
});

it.each([
  [s3('docs', 'a.pdf'), true],
  [s3('docs-private', 'a.pdf'), false],
  [gcs('docs', 'a.pdf'), false],
  [gcs('shared', 'team/a.pdf'), true],
  [gcs('shared', 'team-b/a.pdf'), false],
  [gcs('shared', 'a.pdf'), false],
])('of %j is %s', (address, allowed) => {
  expect(createBucketAllowlist({ allowed: ['s3://docs', 'gs://shared/team/'] })(address)).toBe(allowed);
});

it('never allows uploads', () => {
  const rule = createBucketAllowlist({ allowed: ['s3://docs'], storageUrl: 's3://docs/uploads' });
  expect(rule(s3('docs', 'uploads/lectern-0'))).toBe(false);
  expect(rule(s3('docs', '/uploads//lectern-0'))).toBe(false);
  expect(rule(s3('docs', 'uploads/other.pdf'))).toBe(true);
  const doubled = createBucketAllowlist({ storageUrl: 'gs://docs/a//b' });
  expect(doubled(gcs('docs', 'a//b/lectern-0'))).toBe(false);
  expect(doubled(gcs('docs', 'a/b/lectern-0'))).toBe(false);
  expect(doubled(s3('docs', 'a/b/lectern-0'))).toBe(false);
});
