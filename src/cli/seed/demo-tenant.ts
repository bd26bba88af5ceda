/** Where the demonstration data lives. */
export const DEMO = { tenantId: 'demo', tenantUnitId: 'demo', datasetId: 'help-center' } as const;
