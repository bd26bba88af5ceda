import { isDeepStrictEqual } from 'node:util';
import { createHttpClient, type HttpClient } from '../../search/http-client.js';
import type { BenchmarkOptions, Comparison } from '../question.js';
import type { MeasuredServer } from './measured-server.js';
import { medians } from './medians.js';

/** Until then the functions of a request are not compiled to the last. */
export const WARM_UP_REQUESTS = 2_000;
/** Requests whose answers are compared first. */
const COMPARED = 25;

export interface ComparedRequest {
  what: string;
  /** Sends the n-th request. The same number is the same request to each server. */
  send(http: HttpClient, n: number, server: MeasuredServer): Promise<unknown>;
  /** The targets of the rivals, by name; a rival without one is measured all the same. */
  targets: Record<string, Comparison['target']>;
}

interface Caller {
  server: MeasuredServer;
  http: HttpClient;
}

/**
 * Compares the CPU time of the server processes a request. One caller sends the same requests to each, a block after
 * another; who is first changes from round to round.
 *
 * @throws Error if a rival gives another answer than the service
 */
export async function compareCpu(
  request: ComparedRequest,
  { service, rivals }: { service: MeasuredServer; rivals: MeasuredServer[] },
  { requests, rounds, log }: Pick<BenchmarkOptions, 'requests' | 'rounds' | 'log'>,
): Promise<Comparison[]> {
  log(request.what);
  const callers = [service, ...rivals].map((server) => ({ server, http: createHttpClient(server.address) }));
  await assertSameAnswers(request, callers);
  const spent = new Map(callers.map(({ server }) => [server, [] as number[]]));
  let next = COMPARED;
  const warmUpRounds = Math.ceil(WARM_UP_REQUESTS / requests);
  for (let round = -warmUpRounds; round < rounds; round++) {
    const first = (round + warmUpRounds) % callers.length;
    for (const { server, http } of [...callers.slice(first), ...callers.slice(0, first)]) {
      const before = await server.cpu();
      for (let n = next; n < next + requests; n++) await request.send(http, n, server);
      if (round >= 0) spent.get(server)?.push(((await server.cpu()) - before) / requests);
    }
    next += requests;
  }
  for (const { http } of callers) http.close();
  const ours = spent.get(service) ?? [];
  return rivals.map((rival) => {
    const theirs = spent.get(rival) ?? [];
    const target = request.targets[rival.name];
    return {
      what: request.what,
      rival: rival.name,
      unit: 'µs of CPU a request',
      ...medians(ours, theirs),
      ...(target && { target }),
    };
  });
}

async function assertSameAnswers({ what, send }: ComparedRequest, callers: Caller[]): Promise<void> {
  for (let n = 0; n < COMPARED; n++) {
    const answers = [];
    for (const { server, http } of callers) answers.push({ server, body: await send(http, n, server) });
    const [ours] = answers;
    const other = answers.find(({ body }) => !isDeepStrictEqual(body, ours?.body));
    if (!other) continue;
    const [expected, found] = [ours, other].map((answer) => JSON.stringify(answer?.body, null, 2));
    throw new Error(
      `${what}: "${other.server.name}" gives another answer.\n\nLectern:\n${expected}\n\nRival:\n${found}`,
    );
  }
}
