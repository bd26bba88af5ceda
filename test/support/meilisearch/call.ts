import { ApiError, NotImplementedError } from './errors.js';
import type { Faults } from './faults.js';
import type { Index, Indexes } from './indexes.js';
import type { Access, Keys } from './keys.js';
import type { Tasks } from './tasks.js';

/** What one server holds. */
export interface State {
  indexes: Indexes;
  tasks: Tasks;
  keys: Keys;
  faults: Faults;
}

/** A request that may be answered. */
export interface Call extends State {
  /** The index that the path names. */
  uid: string;
  /** The document, task or key that it names. */
  id: string;
  query: URLSearchParams;
  contentType: string;
  text: string;
  access: Access;
}

export const indexOf = ({ indexes, uid }: Call): Index => indexes.get(uid);

export function readBody({ contentType, text }: Call): any {
  if (!contentType.startsWith('application/json'))
    throw new NotImplementedError(`bodies of type \`${contentType}\``);
  try {
    return JSON.parse(text);
  } catch (error) {
    const message = `The json payload provided is malformed. \`${(error as Error).message}\`.`;
    throw new ApiError(400, 'malformed_payload', message);
  }
}
