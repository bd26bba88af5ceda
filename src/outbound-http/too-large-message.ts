/** The sentence about a source of more bytes than are allowed. */
export function tooLargeMessage(maxBytes: number): string {
  const limit = maxBytes < 2 ** 20 ? `${maxBytes} bytes` : `${Math.floor(maxBytes / 2 ** 20)} MiB`;
  return `The file is larger than the ${limit} that are allowed.`;
}
