/** Text in UTF-32, little end first, without a byte order mark. */
export function utf32(text: string): Buffer {
  const codes = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  return Buffer.concat(
    codes.map((code) => {
      const unit = Buffer.alloc(4);
      unit.writeUInt32LE(code);
      return unit;
    }),
  );
}
