import { withDeadline } from '../../async/linked-signals.js';
import { type EmbeddingSettings, embedTexts } from './endpoint.js';
import { knowsScript, scriptProbes } from './scripts.js';

const REQUEST_TIMEOUT_MS = 60_000;

/**
 * Asks for the vectors of a few sentences: how many dimensions there are, and which scripts the model knows.
 *
 * @throws EndpointError when the endpoint does not answer
 */
export async function measureModel(
  { endpoint, queryPrefix, passagePrefix }: EmbeddingSettings,
  signal: AbortSignal,
): Promise<{ dimensions: number; scripts: string[] }> {
  const scripts: string[] = [];
  let dimensions = 0;
  for (const { script, questions, answers } of scriptProbes) {
    const texts = [
      ...questions.map((question) => queryPrefix + question),
      ...answers.map((passage) => passagePrefix + passage),
    ];
    const { vectors } = await withDeadline(REQUEST_TIMEOUT_MS, signal, (either) =>
      embedTexts(endpoint, texts, either),
    );
    dimensions = vectors[0]?.length ?? 0;
    if (knowsScript(vectors.slice(0, questions.length), vectors.slice(questions.length)))
      scripts.push(script);
  }
  return { dimensions, scripts };
}
