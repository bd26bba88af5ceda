/** Like a TextDecoder: text of bytes, also part by part. */
export interface Decoder {
  decode(bytes?: Uint8Array, options?: { stream?: boolean }): string;
}
