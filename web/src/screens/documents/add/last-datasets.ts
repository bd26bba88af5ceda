const keyOf = (tenantId: string) => `lectern.last-datasets.${tenantId}`;

/** The datasets that this browser added documents to last; none where it never did. */
export function lastDatasets(tenantId: string): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(tenantId)) ?? '[]');
    return Array.isArray(stored) ? stored.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}

export function storeLastDatasets(tenantId: string, datasetIds: readonly string[]): void {
  try {
    localStorage.setItem(keyOf(tenantId), JSON.stringify(datasetIds));
  } catch {
    // The next time they are chosen again.
  }
}
