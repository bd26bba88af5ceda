/** A command that was used wrongly. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
