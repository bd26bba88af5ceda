import type { ChaosResult } from './run.js';

/** The result as a person reads it. */
export function describeResult(result: ChaosResult): string {
  const { kills, requests, outages, searches, writes, documents, events, index, drained, faults } = result;
  return `
seed         ${result.seed}, ${result.clients} clients, ${result.engine}
duration     ${result.seconds} s; everything was done ${drained.seconds} s after the last kill, ${drained.hurried} long pauses cut short
kills        ${result.killed}: ${list(kills)}
requests     ${list(requests)}
${outages ? `outages      ${outages.outages} of a worker: its tenants were answered ${list(outages.ofItsTenants)}; others ${list(outages.ofOthers)}\n` : ''}longest gap  ${(result.longestGapMs / 1_000).toFixed(1)} s without any success
writes       ${list(writes)}
operations   ${list(result.operations)}
searches     ${list(searches)}
documents    ready ${documents.ready}, failed ${total(documents.failed)} (${list(documents.failed) || 'none'}), deleted ${documents.deleted}, never made ${documents.neverMade}
files        ${result.files}
erased       ${result.erasedUsers} users
events       ${list(events)}
index        ${index ? `${index.chunks} chunks, missing ${index.missing.count}, outdated ${index.outdated.count}, surplus ${index.surplus.count}, set aside ${index.setAside}` : 'in PostgreSQL alone'}
looked for   ${result.checked.map(({ engine, found, absent }) => `${engine}: found ${found}, rightly absent ${absent}`).join('; ')}
starts       ${result.earlyEnds} ended early, as without a database
wrong        ${faults.count}
${faults.first.map((one) => `  ${one}\n`).join('')}
${result.isWell ? 'Nothing was lost and nothing was wrong.' : 'Something was lost or wrong.'}
`;
}

const list = (counts: object): string =>
  Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');

const total = (counts: Record<string, number>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);
