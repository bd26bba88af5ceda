/** Statements of a tenant that may run on several nodes, and why. */
export const multiShardStatements: { pattern: RegExp; why: string }[] = [];
