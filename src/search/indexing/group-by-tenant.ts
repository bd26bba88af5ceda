/** The rows of each tenant: a statement about one tenant is for one node of a cluster. */
export function groupByTenant<T extends { tenantId: string }>(rows: T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const group = groups.get(row.tenantId);
    if (group) group.push(row);
    else groups.set(row.tenantId, [row]);
  }
  return groups;
}
