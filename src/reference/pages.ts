import { commandsPage } from './commands.js';
import { metricsPage } from './metrics.js';
import { restPage } from './rest.js';
import { trpcPage } from './trpc.js';

const FOLDER = 'docs/guide/reference';

/** Every file that is generated from the code for readers, and its text. */
export async function referencePages(): Promise<[file: string, text: string][]> {
  const pages = {
    commands: await commandsPage(),
    metrics: metricsPage(),
    rest: restPage(),
    trpc: trpcPage(),
  };
  return Object.entries(pages).map(([name, text]) => [`${FOLDER}/${name}.md`, text]);
}
