/** Every bad variable at once, a line each. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  /** @param lines one for each thing that is wrong */
  constructor(
    message: string,
    readonly lines: string[] = [message],
  ) {
    super(message);
  }
}
