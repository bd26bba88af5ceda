import { fileURLToPath } from 'node:url';
import { answersOk, choosePort } from './ports.js';
import { type Supervised, supervise } from './supervised.js';

const DOUBLE = fileURLToPath(new URL('./extraction-double.js', import.meta.url));

export interface ExtractionEngineServer {
  server: Supervised;
  /** What Lectern needs in its environment. */
  env: NodeJS.ProcessEnv;
}

/** An engine that reads the scans of the test. */
export async function prepareExtractionEngine(place: {
  folder: string;
  logs: string;
  pauseMs: () => number;
}): Promise<ExtractionEngineServer> {
  const address = `http://127.0.0.1:${await choosePort()}`;
  const server = supervise({
    ...place,
    name: 'engine',
    command: [process.execPath, DOUBLE, new URL(address).port],
    env: process.env,
    isHealthy: () => answersOk(address),
  });
  return { server, env: { EXTRACTION_API: 'http', EXTRACTION_URL: address } };
}
