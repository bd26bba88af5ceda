/** A message of JSON-RPC, of which little is read. */
export interface Message {
  id?: unknown;
  method?: string;
  params?: { name?: unknown; uri?: unknown; requestId?: unknown; _meta?: Record<string, unknown> };
}

export interface Server {
  endpoint: URL;
  key: string | undefined;
}

type Answer = { id?: unknown; result?: { protocolVersion?: string } };

const VERSION = 'io.modelcontextprotocol/protocolVersion';

/** Makes a function that sends messages over Streamable HTTP, with the headers of their version of the protocol. */
export function createSend({ endpoint, key }: Server) {
  /** As the handshake has agreed; versions from 2026-07-28 on have none, and name theirs in every request. */
  let agreed: string | undefined;

  /**
   * @returns the answers: none of a notification
   * @throws Error for people, if the server does not answer or refuses
   */
  return async function send(message: Message, signal: AbortSignal): Promise<object[]> {
    const response = await post(message, signal);
    const answers = await readAnswers(response);
    if (!response.ok && answers.length === 0) {
      throw new Error(
        `${endpoint.origin} answered ${response.status}. Is --url the address of a Lectern server?`,
      );
    }
    const [first] = answers;
    if (message.method === 'initialize') agreed = first?.result?.protocolVersion ?? agreed;
    // Of what was refused before it was read, the server does not know the id.
    return answers.map((answer) => (answer.id === null ? { ...answer, id: message.id } : answer));
  };

  async function post(message: Message, signal: AbortSignal): Promise<Response> {
    try {
      return await fetch(endpoint, {
        method: 'POST',
        headers: {
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
          ...(key && { authorization: `Bearer ${key}` }),
          ...versionHeaders(message),
        },
        body: JSON.stringify(message),
        redirect: 'manual',
        signal,
      });
    } catch (error) {
      if (signal.aborted) throw error;
      const { cause = error } = error as Error;
      throw new Error(
        `${endpoint.origin} does not answer: ${(cause as Error).message || (cause as { code?: string }).code}`,
      );
    }
  }

  function versionHeaders({ method, params }: Message): Record<string, string> {
    const own = params?._meta?.[VERSION];
    if (typeof own !== 'string') return agreed ? { 'mcp-protocol-version': agreed } : {};
    const name = method === 'resources/read' ? params?.uri : params?.name;
    return {
      'mcp-protocol-version': own,
      ...(method && { 'mcp-method': method }),
      ...(typeof name === 'string' && { 'mcp-name': encodeHeader(name) }),
    };
  }
}

/** The messages of an answer, in JSON or as events; none in anything else, such as the page of a proxy. */
async function readAnswers(response: Response): Promise<Answer[]> {
  const type = response.headers.get('content-type') ?? '';
  const text = await response.text();
  if (/^text\/event-stream\b/i.test(type)) {
    const events = text.split(/\r?\n/).flatMap((line) => (line.startsWith('data: ') ? [line.slice(6)] : []));
    return events.map((event) => JSON.parse(event) as Answer);
  }
  if (!/^application\/json\b/i.test(type)) return [];
  const answer = JSON.parse(text) as { jsonrpc?: string } & Answer;
  return answer.jsonrpc === '2.0' ? [answer] : [];
}

/** As the protocol has values in headers that hold plain ASCII alone. */
const encodeHeader = (value: string): string =>
  /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(value) && !value.startsWith('=?base64?')
    ? value
    : `=?base64?${Buffer.from(value).toString('base64')}?=`;
