export const en = {
  statuses: { created: 'Waiting', processing: 'Processing', ready: 'Ready', failed: 'Failed' },
  stages: { fetching: 'fetching', parsing: 'reading', splitting: 'splitting', storing: 'storing' },
  noSource: 'No content',
  attempt: (attempt: number) => `attempt ${attempt}`,
};
