export type FetchErrorCode =
  | 'invalid_url'
  | 'blocked_address'
  | 'unreachable'
  | 'tls'
  | 'http_status'
  | 'too_many_redirects'
  | 'too_large'
  | 'timeout'
  | 'broken_body';

/** Why a URL could not be fetched; `message` is one sentence for whoever gave the URL. */
export class FetchError extends Error {
  override readonly name = 'FetchError';

  constructor(
    readonly code: FetchErrorCode,
    message: string,
    /** Whether a retry may succeed. */
    readonly retryable: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

const TIMEOUTS = new Set(['TimeoutError', 'ETIMEDOUT', 'ERR_SOCKET_CONNECTION_TIMEOUT']);
/** Node.js's names for certificates that do not fit, OpenSSL's for what is wrong with the protocol. */
const INSECURE =
  /^(CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_SELF_SIGNED_|HOSTNAME_MISMATCH|EPROTO)/;
const BROKEN_CONTENT = /^(Z_|ERR_|HPE_)/;

/** Turns what a socket, the HTTP parser, the resolver or a decompressor threw into a FetchError; FetchErrors pass unchanged. */
export function toFetchError(error: unknown): FetchError {
  const chain = causeChain(error);
  const fetchError = chain.find((cause) => cause instanceof FetchError);
  if (fetchError) return fetchError;
  const codes = chain.flatMap((cause) => [cause.name, (cause as NodeJS.ErrnoException).code ?? '']);
  if (codes.some((code) => TIMEOUTS.has(code))) {
    return new FetchError('timeout', 'The server took too long to answer; try again later.', true, {
      cause: error,
    });
  }
  if (codes.includes('ENOTFOUND')) {
    const message = 'No server is known under the host name of this URL; check its spelling.';
    return new FetchError('unreachable', message, false, { cause: error });
  }
  if (codes.some((code) => INSECURE.test(code))) {
    const message =
      'There is no safe connection to the server of this URL, as its certificate is not trusted or its encryption ' +
      'does not work; check the URL, or upload the file instead.';
    return new FetchError('tls', message, false, { cause: error });
  }
  if (codes.some((code) => BROKEN_CONTENT.test(code))) return malformedResponseError({ cause: error });
  const message = 'The server of this URL could not be reached; try again later.';
  return new FetchError('unreachable', message, true, { cause: error });
}

export const malformedResponseError = (options?: ErrorOptions): FetchError =>
  new FetchError(
    'broken_body',
    'The server sent an answer that cannot be read; try again later.',
    true,
    options,
  );

function causeChain(error: unknown): Error[] {
  const chain: Error[] = [];
  for (let next = error; next instanceof Error && chain.length < 8; next = next.cause) {
    chain.push(next);
    if (next instanceof AggregateError) chain.push(...next.errors.filter((one) => one instanceof Error));
  }
  return chain;
}
