import type { CosineScale } from '../../../db/schema.js';
import { withDeadline } from '../../async/linked-signals.js';
import { type EmbeddingSettings, embedTexts } from './endpoint.js';
import { knowsScript, measureCosines, scriptProbes } from './scripts.js';

const REQUEST_TIMEOUT_MS = 60_000;

/**
 * Asks for the vectors of a few sentences: how many dimensions there are, which scripts the model knows, what its
 * cosines mean in them, and what its vectors have in common.
 *
 * @throws EndpointError when the endpoint does not answer
 */
export async function measureModel(
  { endpoint, queryPrefix, passagePrefix }: Omit<EmbeddingSettings, 'keepsUnprefixed'>,
  signal: AbortSignal,
): Promise<{
  dimensions: number;
  scripts: string[];
  cosines: Record<string, CosineScale>;
  center: number[];
}> {
  const scripts: string[] = [];
  const cosines: Record<string, CosineScale> = {};
  const known: Float32Array[] = [];
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
    const [asked, answered] = [vectors.slice(0, questions.length), vectors.slice(questions.length)];
    if (!knowsScript(asked, answered)) continue;
    scripts.push(script);
    known.push(...vectors);
    cosines[script] = measureCosines(asked, answered);
  }
  return { dimensions, scripts, cosines, center: meanOf(known) };
}

/** Empty where there are none. */
const meanOf = (vectors: Float32Array[]): number[] =>
  Array.from(
    vectors[0] ?? [],
    (_, i) => vectors.reduce((sum, one) => sum + (one[i] ?? 0), 0) / vectors.length,
  );
