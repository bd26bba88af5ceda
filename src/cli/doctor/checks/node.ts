import { type Finding, ok, problem, warning } from '../check.js';

const LEAST = [20, 19] as const;
/** When a major version gets its last security fixes: https://github.com/nodejs/release */
const LAST_FIXES: Partial<Record<number, string>> = {
  20: '2026-04-30',
  21: '2024-06-01',
  22: '2027-04-30',
  23: '2025-06-01',
  24: '2028-04-30',
  25: '2026-06-01',
};
const ADVICE = 'Install Node.js 22 or 24.';

export function checkNode(): Finding {
  const { node } = process.versions;
  const [major = 0, minor = 0] = node.split('.').map(Number);
  if (major < LEAST[0] || (major === LEAST[0] && minor < LEAST[1])) {
    return problem(`Node.js ${node} is older than ${LEAST.join('.')}.`, ADVICE);
  }
  const last = LAST_FIXES[major];
  if (last && new Date(last) < new Date()) {
    return warning(`Node.js ${node} has had no security fixes since ${last}.`, ADVICE);
  }
  return ok(`Node.js ${node}.`);
}
