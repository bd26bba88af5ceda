/** A message, from whatever format it was read. */
export interface Mail {
  subject?: string;
  /** Names with addresses. */
  from: string[];
  to: string[];
  cc: string[];
  bcc: string[];
  /** ISO 8601, or as it is written where that is no date. */
  date?: string;
  /** What appointments and contacts have besides: labels and values. */
  details?: [label: string, value: string][];
  text?: string;
  html?: string;
  attachments: Attachment[];
}

export interface Attachment {
  fileName?: string;
  mediaType?: string;
  bytes: Uint8Array;
  /** Whether it is shown in the body, as images are. */
  isInline: boolean;
}

/** `Name <address>`, or the one there is. */
export function formatAddress(name: string | undefined, address: string | undefined): string {
  const plain = name?.trim().replace(/^'(.+)'$/, '$1') ?? '';
  if (!address || plain === address) return plain || (address ?? '');
  return plain ? `${plain} <${address}>` : address;
}
