import { spawn } from 'node:child_process';
import { EndpointError } from '../../../../model-endpoint/endpoint-error.js';
import { lowerPriority } from '../../../sandbox/lower-priority.js';
import { readProcessUsage } from '../../../sandbox/process-usage.js';

/** Resident memory of one page: A4 at 300 dpi takes 230 MB with a Chinese model. */
const MAX_MEMORY = 1_536 * 2 ** 20;
const MAX_OUTPUT = 16 * 2 ** 20;
const MAX_LAST_WORDS = 2_000;
const WATCH_INTERVAL_MS = 250;
/** All others may hold secrets. */
const ENVIRONMENT = ['PATH', 'TESSDATA_PREFIX', 'TMPDIR', 'LANG'];

/**
 * Reads a picture by the program `tesseract`, in a process of low priority that is killed when it takes too much memory, writes
 * too much, or `signal` fires.
 *
 * @param languages such as `eng+deu`
 * @returns the table that `readTsv` reads
 * @throws EndpointError; the reason of `signal`
 */
export async function runTesseract(picture: string, languages: string, signal: AbortSignal): Promise<string> {
  signal.throwIfAborted();
  // With orientation: pages may lie on their side, or upside down. Units of the machine are shared by processes, not threads.
  const child = spawn('tesseract', [picture, 'stdout', '-l', languages, '--psm', '1', 'tsv'], {
    env: environment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let refusal: EndpointError | undefined;
  const kill = (error?: EndpointError) => {
    refusal ??= error;
    child.kill('SIGKILL');
  };
  const onAbort = () => kill();
  signal.addEventListener('abort', onAbort, { once: true });
  const watch = setInterval(async () => {
    if (child.pid === undefined) return;
    const { residentBytes } = await readProcessUsage(child.pid);
    if (residentBytes > MAX_MEMORY) kill(refused('Reading the picture takes too much memory.'));
  }, WATCH_INTERVAL_MS);
  if (child.pid !== undefined) lowerPriority(child.pid);
  let [output, lastWords] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    if (output.length > MAX_OUTPUT) kill(refused('The picture gives too much text.'));
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    lastWords = (lastWords + text).slice(-MAX_LAST_WORDS);
  });
  try {
    const ended = await new Promise<{ code: number | null; error?: Error }>((resolve) => {
      child.once('error', (error) => resolve({ code: null, error }));
      child.once('close', (code) => resolve({ code }));
    });
    if (signal.aborted)
      throw isTimeout(signal.reason) ? refused('Reading the picture takes too long.') : signal.reason;
    if (refusal) throw refusal;
    if (ended.code === 0) return output;
    throw toError(ended, lastWords);
  } finally {
    clearInterval(watch);
    signal.removeEventListener('abort', onAbort);
  }
}

/** What exits by itself has something against the picture; what was killed, or did not start, may work another time. */
function toError({ code, error }: { code: number | null; error?: Error }, said: string): EndpointError {
  if (code !== null) return refused(`Tesseract cannot read the picture (exit code ${code}).`, said);
  const what = error ? 'cannot be started' : 'was killed';
  return new EndpointError('extraction', 'unavailable', `The program tesseract ${what}.`, {
    said: error?.message ?? said,
  });
}

const isTimeout = (reason: unknown): boolean => reason instanceof Error && reason.name === 'TimeoutError';

const refused = (message: string, said?: string) =>
  new EndpointError('extraction', 'bad-request', message, { said });

function environment(): Record<string, string | undefined> {
  // biome-ignore lint/style/noProcessEnv: not read as configuration, only handed on
  const passed = Object.fromEntries(ENVIRONMENT.map((name) => [name, process.env[name]]));
  return { ...passed, OMP_THREAD_LIMIT: '1' };
}
