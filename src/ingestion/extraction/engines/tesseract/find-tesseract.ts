import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export interface TesseractProgram {
  /** Such as `5.3.0`. */
  version: string;
  /** The models that are installed, such as `eng` and `chi_sim`. */
  languages: string[];
}

const execute = promisify(execFile);
const TIMEOUT_MS = 10_000;
/** Models that read no text. */
const NO_LANGUAGES = new Set(['osd', 'equ', 'snum']);

/** @returns undefined where this machine has no Tesseract, or one that does not run */
export async function findTesseract(): Promise<TesseractProgram | undefined> {
  try {
    const [version, list] = await Promise.all([
      execute('tesseract', ['--version'], { timeout: TIMEOUT_MS }),
      execute('tesseract', ['--list-langs'], { timeout: TIMEOUT_MS }),
    ]);
    const [, ...names] = `${list.stdout}${list.stderr}`.trim().split('\n');
    const languages = names
      .map((name) => name.trim())
      .filter((name) => /^\w+$/.test(name) && !NO_LANGUAGES.has(name));
    const number = /tesseract v?(\d[\d.]*)/.exec(`${version.stdout}${version.stderr}`)?.[1];
    return number && languages.length > 0 ? { version: number, languages } : undefined;
  } catch {
    return undefined;
  }
}
