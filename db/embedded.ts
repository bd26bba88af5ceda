import {
  type EmbeddedPostgres,
  findDatabaseFolder as findFolder,
  type StartOptions,
  startPostgres,
} from '@lectern/embedded-postgres';

/** Databases that exist have the name. */
const LECTERN = {
  name: 'lectern',
  alternative: 'Set DATABASE_URL to use a PostgreSQL server of your own.',
};

export interface EmbeddedOptions extends Pick<StartOptions, 'flags' | 'onLog'> {
  dataDir: string;
}

/** Starts the PostgreSQL of a data folder, or shares it with the processes that use it. */
export const startEmbedded = ({ dataDir, ...options }: EmbeddedOptions): Promise<EmbeddedPostgres> =>
  startPostgres(dataDir, { ...LECTERN, ...options });

/** Where the database of a data folder is, as far as there is one; it may be another user's. Nothing is made. */
export const findDatabaseFolder = (dataDir: string): string | undefined => findFolder(dataDir, LECTERN);
