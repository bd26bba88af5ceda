import type { CosineScale } from '../../../db/schema.js';
import { withDeadline } from '../../async/linked-signals.js';
import { type EmbeddingSettings, embedTexts } from './endpoint.js';
import { knowsScript, measureCosines, scriptProbes } from './scripts.js';

const REQUEST_TIMEOUT_MS = 60_000;

/**
 * Asks for the vectors of a few sentences: how many dimensions there are, which scripts the model knows, what its
 * cosines mean in them, and what its vectors have in common.
 *
 * @param settings.center what its vectors have in common, if it is known
 * @throws EndpointError when the endpoint does not answer
 */
export async function measureModel(
  {
    endpoint,
    queryPrefix,
    passagePrefix,
    center: known,
  }: Omit<EmbeddingSettings, 'keepsUnprefixed'> & { center?: number[] | null },
  signal: AbortSignal,
): Promise<{
  dimensions: number;
  scripts: string[];
  cosines: Record<string, CosineScale>;
  center: number[];
}> {
  const measured: { script: string; asked: Float32Array[]; answered: Float32Array[] }[] = [];
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
    if (knowsScript(asked, answered)) measured.push({ script, asked, answered });
  }
  const center = known ?? meanOf(measured.flatMap(({ asked, answered }) => [...asked, ...answered]));
  const cosines = Object.fromEntries(
    measured.map(({ script, asked, answered }) => [script, measureCosines(asked, answered, center)]),
  );
  return { dimensions, scripts: measured.map(({ script }) => script), cosines, center };
}

/** Empty where there are none. */
const meanOf = (vectors: Float32Array[]): number[] =>
  Array.from(
    vectors[0] ?? [],
    (_, i) => vectors.reduce((sum, one) => sum + (one[i] ?? 0), 0) / vectors.length,
  );
