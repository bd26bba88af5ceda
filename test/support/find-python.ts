import { execFileSync } from 'node:child_process';

/** The name of a Python, 3.10 or newer, that can make environments. */
export function findPython(): string | undefined {
  const isFit = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))';
  return ['python3', 'python'].find((name) => {
    try {
      execFileSync(name, ['-c', isFit], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  });
}
