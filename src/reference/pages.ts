import { commandsPage } from './commands.js';
import { configurationPage } from './configuration.js';
import { envExample } from './env-example.js';
import { errorsPage } from './errors.js';
import { eventsPage } from './events.js';
import { formatsPage } from './formats.js';
import { limitsPage } from './limits.js';
import { metricsPage } from './metrics.js';
import { restPage } from './rest.js';
import { trpcPage } from './trpc.js';

const FOLDER = 'docs/guide/reference';

/** Every file that is generated from the code for readers, and its text. */
export async function referencePages(): Promise<[file: string, text: string][]> {
  const pages = {
    commands: await commandsPage(),
    configuration: configurationPage(),
    errors: errorsPage(),
    events: eventsPage(),
    limits: limitsPage(),
    formats: formatsPage(),
    metrics: metricsPage(),
    rest: restPage(),
    trpc: trpcPage(),
  };
  return [
    ['.env.example', envExample()],
    ...Object.entries(pages).map(([name, text]): [string, string] => [`${FOLDER}/${name}.md`, text]),
  ];
}
