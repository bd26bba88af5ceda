import { type Comparison, isMet, type Question } from './question.js';

const HEAD = ['what', 'unit', 'Lectern', 'rival', '', 'ratio', 'target', ''];

/** A question's answer as a Markdown table. */
export function describe({ title }: Pick<Question, 'title'>, comparisons: Comparison[]): string {
  const rows = comparisons.map((comparison) => {
    const { what, rival, unit, ours, theirs, ratio } = comparison;
    return [what, unit, round(ours), rival, round(theirs), ratio.toFixed(2), ...describeTarget(comparison)];
  });
  const lines = [HEAD, HEAD.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return `\n## ${title}\n\n${lines.join('\n')}\n`;
}

function describeTarget(comparison: Comparison): string[] {
  const { target } = comparison;
  if (!target) return ['', ''];
  const bound = 'atMost' in target ? `<= ${target.atMost}` : `>= ${target.atLeast}`;
  const text = target.of === 'ours' ? `${bound} ${comparison.unit}` : bound;
  return [text, isMet(comparison) ? 'met' : 'missed'];
}

const round = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toPrecision(3));
