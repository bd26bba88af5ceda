import type { ByteView } from './byte-view.js';

/** One change of a property ([MS-DOC] 2.2.5.1). */
export interface PropertyChange {
  code: number;
  operand: Buffer;
}

export const PROPERTY = {
  isDeleted: 0x0800,
  isHidden: 0x083c,
  isInTable: 0x2416,
  isRowEnd: 0x2417,
  outlineLevel: 0x2640,
  isInnerCell: 0x244b,
  isInnerRowEnd: 0x244c,
  hugeProperties: 0x6646,
  tableDefinition: 0xd608,
};
const OPERAND_LENGTHS = [1, 1, 2, 4, 2, 2, undefined, 3];

/** Changes of properties one after the other, until the end or what cannot be read. */
export function* propertyChanges(bytes: Buffer): Generator<PropertyChange> {
  let at = 0;
  while (at + 3 <= bytes.length) {
    const code = bytes.readUInt16LE(at);
    at += 2;
    const fixed = OPERAND_LENGTHS[code >> 13];
    let length = fixed ?? (bytes[at] as number) + 1;
    if (code === PROPERTY.tableDefinition) {
      if (at + 2 > bytes.length) return;
      length = bytes.readUInt16LE(at) + 1;
    }
    if (at + length > bytes.length) return;
    yield { code, operand: bytes.subarray(at, at + length) };
    at += length;
  }
}

/** Properties that are too long for their page lie in the data stream. */
export function* paragraphChanges(bytes: Buffer, data: ByteView): Generator<PropertyChange> {
  for (const change of propertyChanges(bytes)) {
    yield change;
    if (change.code !== PROPERTY.hugeProperties) continue;
    const at = change.operand.readUInt32LE();
    if (at + 2 <= data.length && at + 2 + data.u16(at) <= data.length) {
      yield* propertyChanges(data.slice(at + 2, data.u16(at)));
    }
  }
}
