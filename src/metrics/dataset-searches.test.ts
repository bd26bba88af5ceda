import { expect, test } from 'vitest';
import { createDatasetSearches } from './dataset-searches.js';

const DAY = 86_400_000;
const sales = { tenantId: 'acme', tenantUnitId: 'sales' };

test('counts each dataset of a search once, by day and unit', () => {
  let now = 100 * DAY + 5_000;
  const counter = createDatasetSearches({ now: () => now });
  counter.count(sales, ['faq', 'manuals', 'faq']);
  counter.count(sales, ['faq']);
  counter.count({ ...sales, tenantUnitId: '' }, ['faq']);
  const day = 100 * DAY;
  expect(counter.takeChanged()).toEqual([
    { ...sales, datasetId: 'faq', day, searches: 2, isChanged: false },
    { ...sales, datasetId: 'manuals', day, searches: 1, isChanged: false },
    { tenantId: 'acme', tenantUnitId: '', datasetId: 'faq', day, searches: 1, isChanged: false },
  ]);
  expect(counter.takeChanged()).toEqual([]);
  counter.count(sales, ['faq']);
  expect(counter.takeChanged()).toMatchObject([{ datasetId: 'faq', day, searches: 3 }]);
  now += DAY;
  counter.count(sales, ['faq']);
  expect(counter.takeChanged()).toMatchObject([{ datasetId: 'faq', day: day + DAY, searches: 1 }]);
});

test('keeps what could not be stored, also of a day that is over', () => {
  let now = 100 * DAY;
  const counter = createDatasetSearches({ now: () => now });
  counter.count(sales, ['faq']);
  now += DAY;
  const taken = counter.takeChanged();
  counter.keep(taken);
  expect(counter.takeChanged()).toMatchObject([{ datasetId: 'faq', day: 100 * DAY, searches: 1 }]);
});

test('counts no more datasets than there is room for, a twentieth of it for one tenant', () => {
  let now = 100 * DAY;
  const counter = createDatasetSearches({ now: () => now, maxCells: 40 });
  counter.count(sales, ['one', 'two', 'three']);
  counter.count(sales, ['three', 'one']);
  counter.count({ ...sales, tenantId: 'beta' }, ['three']);
  expect(counter.takeChanged()).toMatchObject([
    { tenantId: 'acme', datasetId: 'one', searches: 2 },
    { tenantId: 'acme', datasetId: 'two', searches: 1 },
    { tenantId: 'beta', datasetId: 'three', searches: 1 },
  ]);
  now += DAY;
  expect(counter.takeChanged()).toEqual([]);
  counter.count(sales, ['three']);
  expect(counter.takeChanged()).toMatchObject([{ tenantId: 'acme', datasetId: 'three', searches: 1 }]);
});
