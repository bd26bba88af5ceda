/** Documents that are read for a page, and to sort all datasets by their last change. */
const PAGE_BUDGET = 50_000;
const SORT_BUDGET = 20_000;

/** How many documents of each dataset are read for a page: all of small ones, and of large ones equally many. */
export function limitsOfPage(documents: ReadonlyMap<string, number>): Map<string, number> {
  const ascending = [...documents].sort(([, one], [, other]) => one - other);
  let left = PAGE_BUDGET;
  return new Map(
    ascending.map(([datasetId, count], place) => {
      const limit = Math.min(count, Math.floor(left / (ascending.length - place)));
      left -= limit;
      return [datasetId, limit];
    }),
  );
}

/** The same where nothing is known of them. */
export function limitsOfAll(datasetIds: readonly string[]): Map<string, number> {
  const share = Math.max(1, Math.floor(SORT_BUDGET / datasetIds.length));
  return new Map(datasetIds.map((id) => [id, share]));
}
