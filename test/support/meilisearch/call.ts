import type { Access } from './access.js';
import { NotImplementedError } from './errors.js';
import type { Faults } from './faults.js';
import type { Index, Indexes } from './indexes.js';
import type { Keys } from './keys.js';
import type { Tasks } from './tasks.js';

/** State of one server. */
export interface State {
  indexes: Indexes;
  tasks: Tasks;
  keys: Keys;
  faults: Faults;
}

/** An authorized request. */
export interface Call extends State {
  /** The index that the path names. */
  uid: string;
  /** The document, task or key that the path names. */
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
  return JSON.parse(text);
}
