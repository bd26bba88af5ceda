import type { Settings } from 'meilisearch';
import type { SettingDifference } from '../../search/meilisearch/diff-settings.js';
import { countOf, formatFields } from '../shared/format.js';

/** The differences and what to do about them, as an operator reads them. */
export function describeDifferences(index: string, differences: SettingDifference[]): string {
  if (differences.length === 0) return `The settings of ${index} are as they should be.\n`;
  const fields = differences.map(({ setting, wanted, found, rebuilds }): [string, string] => [
    setting,
    [
      `should be ${JSON.stringify(wanted)}`,
      `is        ${JSON.stringify(found)}`,
      ...(rebuilds ? ['changing it makes the server index every document again'] : []),
    ].join('\n'),
  ]);
  const command = differences.some(({ rebuilds }) => rebuilds) ? 'apply --rebuild' : 'apply';
  return `${countOf(differences.length, 'setting')} of ${index} ${differences.length === 1 ? 'differs' : 'differ'}:

${formatFields(fields)}
Apply with: lectern search settings ${command}
`;
}

/** What the operator has set besides. */
export function describeKept(kept: Settings): string {
  const fields = Object.entries(kept).map(([name, value]): [string, string] => [name, JSON.stringify(value)]);
  return fields.length > 0 ? `Set by you, and kept:\n\n${formatFields(fields)}` : '';
}
