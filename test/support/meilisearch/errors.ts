/** An error response of the server, with its own codes. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly type: 'invalid_request' | 'auth' | 'internal' | 'system' = 'invalid_request',
  ) {
    super(message);
  }

  toJSON() {
    const { message, code, type } = this;
    return { message, code, type, link: `https://docs.meilisearch.com/errors#${code}` };
  }
}

/** Whatever the real server may do that the double does not; answered with 501. */
export class NotImplementedError extends ApiError {
  constructor(what: string) {
    super(501, 'not_doubled', `The double of Meilisearch does not know ${what}.`, 'internal');
  }
}

export const indexNotFound = (...uids: string[]) =>
  new ApiError(
    404,
    'index_not_found',
    `${uids.length > 1 ? 'Indexes' : 'Index'} ${uids.map((uid) => `\`${uid}\``).join(', ')} not found.`,
  );

/** Throws unless every name is one the double knows. */
export function expectOnly(names: Iterable<string>, known: readonly string[], where: string): void {
  for (const name of names)
    if (!known.includes(name)) throw new NotImplementedError(`\`${name}\` in ${where}`);
}
