import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { memberRoles } from '../../db/enums.js';
import { permissions } from './permissions.js';
import { permissionsOfRole, permissionsOfStored, toRolePermissions } from './roles.js';

const reference = readFileSync('docs/guide/reference/permissions.md', 'utf8');
const ROW = /^\| (`[^|]+) \| ([^|]+) \|$/gm;
const rows = [...reference.matchAll(ROW)].map(([, names = '', text = '']) => ({
  names: namesIn(names),
  text,
}));

function namesIn(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
}

test('the reference has each permission', () => {
  const roles: readonly string[] = memberRoles;
  const documented = rows.flatMap(({ names }) => names).filter((name) => !roles.includes(name));
  expect(documented.sort()).toEqual([...permissions].sort());
});

test.each(memberRoles)('the reference has what the role %s permits', (role) => {
  const { text = '' } = rows.find(({ names }) => names.includes(role)) ?? {};
  const named = text === 'all' ? [...permissions] : namesIn(text);
  const documented = named.flatMap((name): readonly string[] =>
    name in permissionsOfRole ? permissionsOfRole[name as keyof typeof permissionsOfRole] : [name],
  );
  expect(documented.toSorted()).toEqual(permissionsOfRole[role].toSorted());
});

test('roles add up, beside permissions', () => {
  expect(toRolePermissions(['operator', 'viewer', 'search', 'keys:admin'])).toEqual([
    'conversations:read',
    'documents:read',
    'chunks:read',
    'search',
    'keys:admin',
    'operations',
  ]);
});

test('a role of a newer version permits nothing', () => {
  expect(permissionsOfStored('novel')).toEqual([]);
  expect(permissionsOfStored('toString')).toEqual([]);
  expect(permissionsOfStored(null)).toEqual([]);
});
