import { expect, test } from 'vitest';
import type { MemberRole } from '../../../db/enums.js';
import { permissions } from '../permissions.js';
import { withRole } from './with-role.js';

const claims = { permissions: ['search'] as const, tenantUnitIds: null, datasetIds: null };
const member = (role: MemberRole | null, places: object = {}) => ({
  role,
  tenantUnitIds: null,
  datasetIds: null,
  lastSeenTime: new Date(),
  ...places,
});

test('without a role, the claims stay as they are, whatever the member has beside', () => {
  expect(withRole(claims, undefined)).toBe(claims);
  expect(withRole(claims, member(null, { tenantUnitIds: ['lab'] }))).toBe(claims);
  expect(withRole(claims, member('novel' as never, { tenantUnitIds: ['lab'] }))).toBe(claims);
});

test('permissions add up', () => {
  expect(withRole(claims, member('operator')).permissions).toEqual(['search', 'operations']);
  expect(withRole(claims, member('admin')).permissions).toEqual(permissions);
});

test.each<[string[] | null, string[] | null, string[] | null]>([
  [null, null, null],
  [['a', 'b'], null, ['a', 'b']],
  [null, ['a', 'b'], ['a', 'b']],
  [['a', 'b'], ['b', 'c'], ['b']],
  [['a'], ['c'], []],
])('units and datasets are those of both: %j and %j', (some, others, both) => {
  const places = { tenantUnitIds: some, datasetIds: some };
  const given = member('viewer', { tenantUnitIds: others, datasetIds: others });
  expect(withRole({ ...claims, ...places }, given)).toMatchObject({ tenantUnitIds: both, datasetIds: both });
});

test('with datasets, nothing of the whole tenant is permitted', () => {
  const restricted = { ...claims, datasetIds: ['faq'] };
  expect(withRole(restricted, member('admin')).permissions).toEqual([
    'conversations:read',
    'conversations:write',
    'messages:write',
    'retention:read',
    'documents:read',
    'documents:write',
    'chunks:read',
    'chunks:write',
    'search',
  ]);
});
