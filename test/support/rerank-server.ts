import { type Fault, startJsonServer } from './json-server.js';

export interface RerankRequest {
  path: string | undefined;
  authorization: string | undefined;
  body: any;
}

interface Score {
  index: number;
  score: number;
}

/**
 * An endpoint that speaks `/v1/rerank`, or `/rerank` as Text Embeddings Inference does where it is given `texts`. A text
 * has the score that it names, as in "worth 0.7", or else 0.01. Its faults are set by the test.
 */
export async function startRerankServer() {
  const state = {
    requests: [] as RerankRequest[],
    /** What happens instead of an answer, for each request that it returns one for. */
    fault: undefined as ((texts: string[]) => Fault | undefined) | undefined,
    /** Changes the scores before they are sent. */
    distort: undefined as ((scores: Score[]) => unknown) | undefined,
  };
  const { address, close } = await startJsonServer((body, { url: path, headers }) => {
    state.requests.push({ path, authorization: headers.authorization, body });
    const texts: string[] = body.texts ?? body.documents;
    const fault = state.fault?.(texts);
    if (fault) return { fault };
    const scored = texts
      .map((text, index) => ({ index, score: scoreOf(text) }))
      .sort((a, b) => b.score - a.score);
    const scores = (state.distort?.(scored) ?? scored) as Score[];
    if (path === '/rerank') return { value: scores };
    const results = scores.map(({ index, score }) => ({
      index,
      document: { text: texts[index] },
      relevance_score: score,
    }));
    return path === '/v1/rerank'
      ? { value: { model: body.model, usage: { total_tokens: texts.length }, results } }
      : { fault: { status: 404 } };
  });

  return {
    state,
    address,
    url: `${address}/v1`,
    /** Requests for searches, without probes. */
    asked: () => state.requests.filter(({ body }) => body.query !== '?'),
    close,
  };
}

const scoreOf = (text: string): number => Number(/worth (\d+\.\d+)/.exec(text)?.[1] ?? 0.01);
