/** Every bad variable at once, a line each. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
