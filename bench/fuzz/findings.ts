import type { ChildProcess } from 'node:child_process';
import type { FuzzRequest } from './fuzz-request.js';
import type { Observations } from './observations.js';
import type { FuzzAnswer } from './send.js';

/** Of a phase, among which those during a pause are found at its end. */
const RECENT = 100_000;
const SHOWN = 30;
const SHOWN_CHARACTERS = 400;

interface Phase {
  name: string;
  seconds: number;
  answers: Record<string, number>;
  longestPauseMs: number;
  pausesAbove50Ms: number;
  /** At the beginning, and the most. */
  residentBytes: [number, number];
}

interface UnderWay {
  request: string;
  begun: number;
  ended: number;
}

export type Findings = ReturnType<typeof createFindings>;

/**
 * Judges answers and pauses, and collects what should not have been.
 *
 * @param options.maxPauseMs longer pauses of the event loop are findings
 */
export function createFindings(
  server: ChildProcess,
  { observations, maxPauseMs }: { observations: Observations; maxPauseMs: number },
) {
  const findings: string[] = [];
  const phases: Phase[] = [];
  const recent: UnderWay[] = [];
  let answers: Record<string, number> = {};
  let ended = false;
  let stopping = false;
  server.once('exit', (code, signal) => {
    ended = true;
    if (!stopping) findings.push(`the server ended: ${signal ?? code}`);
  });
  return { add, answered, phase, hasEnded: () => ended, expectEnd, report, describe };

  function add(finding: string): void {
    findings.push(finding);
  }

  async function answered(request: FuzzRequest, answer: Promise<FuzzAnswer>) {
    const entry: UnderWay = {
      request: describeRequest(request),
      begun: Date.now(),
      ended: Number.POSITIVE_INFINITY,
    };
    recent.push(entry);
    if (recent.length > RECENT) recent.shift();
    try {
      const { status, contentType, body } = await answer;
      count(String(status));
      const fault = faultOf(status, contentType, body);
      if (fault) add(`${fault}: ${describeRequest(request)} -> ${body.slice(0, SHOWN_CHARACTERS)}`);
    } catch (error) {
      count('none');
      if (!ended) add(`no answer (${(error as Error).message}): ${describeRequest(request)}`);
    } finally {
      entry.ended = Date.now();
    }
  }

  function count(status: string): void {
    answers[status] = (answers[status] ?? 0) + 1;
  }

  async function phase(name: string, work: () => Promise<void>): Promise<void> {
    if (ended) return;
    answers = {};
    const [began, first] = [performance.now(), observations.pauses.length];
    const firstSample = Math.max(0, observations.residentBytes.length - 1);
    await work();
    const pauses = observations.pauses.slice(first);
    for (const { busyMs, endedAt, elapsedMs } of pauses) {
      if (busyMs <= maxPauseMs) continue;
      const during = recent.filter((one) => one.begun < endedAt && one.ended > endedAt - elapsedMs);
      add(
        `a pause of ${busyMs.toFixed(0)} ms during ${during.map(({ request }) => request).join(' and ') || name}`,
      );
    }
    const memory = observations.residentBytes.slice(firstSample);
    phases.push({
      name,
      seconds: Math.round((performance.now() - began) / 1000),
      answers,
      longestPauseMs: Math.round(Math.max(0, ...pauses.map(({ busyMs }) => busyMs))),
      pausesAbove50Ms: pauses.filter(({ busyMs }) => busyMs > 50).length,
      residentBytes: [memory[0] ?? 0, Math.max(0, ...memory)],
    });
  }

  /** From now on the end of the server is no finding. */
  function expectEnd(): void {
    stopping = true;
  }

  function report() {
    return { phases, findings };
  }

  function describe(): string {
    const rows = phases.map(
      ({ name, seconds, answers, longestPauseMs, pausesAbove50Ms, residentBytes }) =>
        `${name.padEnd(14)} ${String(seconds).padStart(5)} s   longest pause ${longestPauseMs} ms, above 50 ms: ${pausesAbove50Ms}   MiB ${residentBytes.map(toMib).join(', most ')}   answers ${Object.entries(
          answers,
        )
          .map(([status, times]) => `${status}: ${times}`)
          .join(', ')}`,
    );
    const shown = findings.slice(0, SHOWN).map((one) => `  ${one}`);
    return `${rows.join('\n')}\n\n${findings.length} findings\n${shown.join('\n')}\n`;
  }
}

const toMib = (bytes: number): number => Math.round(bytes / 2 ** 20);

/** What is wrong with an answer, whatever it answers. */
function faultOf(status: number, contentType: string, body: string): string | undefined {
  if (status >= 500) return `answered ${status}`;
  if (status < 400) return undefined;
  if (!contentType.startsWith('application/json')) return `an error as ${contentType || 'nothing'}`;
  const isDocumented =
    /^\{"detail":\[\{"type":/.test(body) ||
    /^(\[?\{"error":|\[\{)/.test(body) ||
    /^\{"(jsonrpc|error_code)":/.test(body);
  return isDocumented ? undefined : 'an error in another shape';
}

function describeRequest({ name, route, headers, body }: FuzzRequest): string {
  const text =
    typeof body === 'string' ? ` ${body.length} characters ${body.slice(0, SHOWN_CHARACTERS)}` : '';
  return `${name} ${route.slice(0, SHOWN_CHARACTERS)} ${JSON.stringify(headers).slice(0, SHOWN_CHARACTERS)}${text}`;
}
