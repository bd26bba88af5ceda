import { type Config, ConfigError, readConfig, readNames } from '../../../config/config.js';
import { environment, variableGroups } from '../../../config/environment.js';
import { nearest } from '../../shared/nearest.js';
import { type Finding, ok, problem, warning } from '../check.js';

/** Read by libraries. */
const ofLibraries = variableGroups.flatMap(({ ofLibraries = {} }) => Object.keys(ofLibraries));
/** Nobody else's variables begin so. */
const OWN_PREFIX = /^(EMBEDDING|RERANK|EXTRACTION|INGEST|QUOTA|RATE_LIMIT|MEILI)_/;
/** Of the search server itself, which may share an environment. */
const OF_MEILISEARCH =
  /^MEILI_(MASTER_KEY$|ENV$|NO_ANALYTICS$|MAX_INDEXING_|DB_PATH$|HTTP_ADDR$|LOG_LEVEL$|DUMP_DIR$|(SCHEDULE_|IGNORE_\w{1,20}_)?SNAPSHOT|SSL_|EXPERIMENTAL_|IMPORT_|CONFIG_FILE_PATH$|HTTP_PAYLOAD_SIZE_LIMIT$|TASK_WEBHOOK_)/;
/** Shorter names are near to each other by chance: HOST and HOME. */
const LEAST_LENGTH = 7;

/** Reads the configuration, and looks for variables that look misspelt. */
export function checkConfiguration(): { config?: Config; findings: Finding[] } {
  const names = readNames();
  const findings = findMisspelt(names);
  try {
    const config = readConfig();
    const count = names.filter((name) => knownVariables.includes(name)).length;
    return { config, findings: [ok(`Variables that are set: ${count}.`), ...findings] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const bad = error.lines.map((line) =>
      problem(endSentence(line), 'See .env.example for what it may hold.'),
    );
    return { findings: [...bad, ...findings] };
  }
}

const knownVariables = Object.keys(environment.shape);

function findMisspelt(names: string[]): Finding[] {
  const known = new Set([...knownVariables, ...ofLibraries]);
  return names
    .filter((name) => !known.has(name) && !OF_MEILISEARCH.test(name))
    .sort()
    .flatMap((name) => {
      const near = name.length < LEAST_LENGTH ? undefined : nearest(name, knownVariables);
      if (!near && !OWN_PREFIX.test(name)) return [];
      const advice = near ? `Did you mean ${near}?` : 'See .env.example for all variables.';
      return [warning(`${name} is not a variable of Lectern, and has no effect.`, advice)];
    });
}

const endSentence = (line: string): string => (line.endsWith('.') ? line : `${line}.`);
