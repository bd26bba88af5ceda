/** Statements of a tenant that may run on several nodes, and why. */
export const multiShardStatements: { pattern: RegExp; why: string }[] = [
  {
    pattern: /^with "noted" as \(insert into "message_changes"/,
    why: 'Two steps, both on the shard of the tenant; elsewhere one statement.',
  },
];
