import net from 'node:net';

/**
 * A TCP proxy to the database that can be cut: drops all connections and refuses new ones. Records queries.
 */
export class DatabaseProxy {
  readonly #sockets = new Set<net.Socket>();
  #server = this.#listenTo();
  port = 0;
  /** The texts of all statements that went through, in their order. */
  readonly statements: string[] = [];

  constructor(private readonly target: URL) {}

  #listenTo() {
    return net.createServer((near) => {
      const far = net.connect(Number(this.target.port), this.target.hostname);
      near.on(
        'data',
        readStatements((text) => this.statements.push(text)),
      );
      for (const [socket, other] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#sockets.add(socket);
        socket.pipe(other);
        socket.on('error', () => {});
        socket.on('close', () => {
          this.#sockets.delete(socket);
          other.destroy();
        });
      }
    });
  }

  /** On the same port as before. */
  async connect(): Promise<void> {
    this.#server = this.#listenTo();
    await new Promise<void>((resolve) => this.#server.listen(this.port, '127.0.0.1', resolve));
    this.port = (this.#server.address() as net.AddressInfo).port;
  }

  async cut(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  get url(): string {
    const url = new URL(this.target);
    url.host = `127.0.0.1:${this.port}`;
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
