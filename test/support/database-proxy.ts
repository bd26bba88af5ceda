import { FaultProxy } from './fault-proxy.js';

/** A fault proxy before a database. Records statements. */
export class DatabaseProxy extends FaultProxy {
  /** The texts of all statements that went through, in their order. */
  readonly statements: string[];
  readonly #target: URL;

  constructor(target: URL) {
    const statements: string[] = [];
    super(
      () => ({ hostname: target.hostname, port: Number(target.port) }),
      (near) =>
        near.on(
          'data',
          readStatements((text) => statements.push(text)),
        ),
    );
    this.#target = target;
    this.statements = statements;
  }

  /** Of the database, through the proxy. */
  get url(): string {
    const url = new URL(this.#target);
    url.host = this.address;
    return url.href;
  }
}

const [PARSE, QUERY] = ['P', 'Q'];
const LENGTH_BYTES = 4;

/** Reads the texts out of PostgreSQL's protocol: messages of a letter, their length and what they hold. */
function readStatements(tell: (text: string) => void) {
  let unread = Buffer.alloc(0);
  let isStarted = false;
  return (bytes: Buffer) => {
    unread = Buffer.concat([unread, bytes]);
    for (;;) {
      // The first message has no letter.
      const head = isStarted ? 1 : 0;
      if (unread.length < head + LENGTH_BYTES) return;
      const end = head + unread.readInt32BE(head);
      if (unread.length < end) return;
      const letter = isStarted ? String.fromCharCode(unread[0] ?? 0) : '';
      const content = unread.subarray(head + LENGTH_BYTES, end);
      if (letter === QUERY) tell(textAt(content, 0));
      if (letter === PARSE) tell(textAt(content, content.indexOf(0) + 1));
      unread = unread.subarray(end);
      isStarted = true;
    }
  };
}

const textAt = (content: Buffer, start: number) =>
  content.subarray(start, content.indexOf(0, start)).toString();
