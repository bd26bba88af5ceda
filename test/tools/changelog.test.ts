import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const lines = readFileSync('CHANGELOG.md', 'utf8').split('\n');
const headings = lines.filter((line) => line.startsWith('## '));
const releases = headings.slice(1).map((line) => /^## \[(\d+\.\d+\.\d+)\] - (\d{4}-\d{2}-\d{2})$/.exec(line));

test('the changelog has what is not released, and below it a dated section for each release, the latest first', () => {
  expect(headings[0]).toBe('## [Unreleased]');
  expect(releases).not.toContain(null);
  const numbers = releases.map((release) => release?.[1]?.split('.').map(Number) as number[]);
  expect(new Set(numbers.map(String)).size).toBe(numbers.length);
  expect(numbers).toEqual([...numbers].sort(compareVersions).reverse());
});

test('the version of package.json is the latest release in the changelog', () => {
  expect(releases[0]?.[1]).toBe(version);
});

test('changes are sorted by what they do to their reader', () => {
  const kinds = lines.filter((line) => line.startsWith('### ')).map((line) => line.slice(4));
  const known = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];
  expect(kinds.filter((kind) => !known.includes(kind))).toEqual([]);
});

function compareVersions(one: number[], other: number[]): number {
  const differing = one.findIndex((part, i) => part !== other[i]);
  return differing < 0 ? 0 : (one[differing] ?? 0) - (other[differing] ?? 0);
}
