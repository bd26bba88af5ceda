/*
 * A WebAssembly module that counts the bits in which vectors are equal to a question's: the processor counts the ones of 64 bits
 * by an instruction, which JavaScript does not have. It is made for a number of words, so that nothing is repeated for each
 * word. In the text format, for two words:
 *
 *   (func (export "compare") (param $vector i32) (param $end i32) (param $least i32) (param $found i32) (result i32)
 *     (local $equal i32) (local $q0 i64) (local $q1 i64)
 *     (local.set $q0 (i64.load offset=0 (i32.const 0)))
 *     (local.set $q1 (i64.load offset=8 (i32.const 0)))
 *     (loop
 *       (local.set $equal (i32.wrap_i64 (i64.add
 *         (i64.popcnt (i64.xor (i64.load offset=0 (local.get $vector)) (local.get $q0)))
 *         (i64.popcnt (i64.xor (i64.load offset=8 (local.get $vector)) (local.get $q1))))))
 *       (i32.store offset=0 (local.get $found) (local.get $vector))
 *       (i32.store offset=4 (local.get $found) (local.get $equal))
 *       (local.set $found (i32.add (local.get $found)
 *         (i32.shl (i32.gt_u (local.get $equal) (local.get $least)) (i32.const 3))))
 *       (br_if 0 (i32.lt_u (local.tee $vector (i32.add (local.get $vector) (i32.const 16))) (local.get $end))))
 *     (local.get $found))
 *
 * (WebAssembly Core Specification, chapter 5: Binary Format.)
 */

/** As LEB128, signed or not: of 5 bytes, so that all numbers are alike. */
const number = (value: number): number[] =>
  [0, 7, 14, 21, 28].map((shift) => ((value >>> shift) & 0x7f) | (shift < 28 ? 0x80 : 0));
const list = (items: number[][]): number[] => [...number(items.length), ...items.flat()];
const bytes = (content: number[]): number[] => [...number(content.length), ...content];
const name = (text: string): number[] => bytes([...Buffer.from(text)]);
const section = (id: number, content: number[]): number[] => [id, ...bytes(content)];

const I32 = 0x7f;
const I64 = 0x7e;
const FUNCTION_TYPE = 0x60;
const EXPORTED_FUNCTION = 0x00;
const EXPORTED_MEMORY = 0x02;

/** Instructions, by their names in the text format. */
const LOOP = [0x03, 0x40];
const BR_IF_0 = [0x0d, ...number(0)];
const END = [0x0b];
const LOCAL_GET = (index: number) => [0x20, ...number(index)];
const LOCAL_SET = (index: number) => [0x21, ...number(index)];
const LOCAL_TEE = (index: number) => [0x22, ...number(index)];
const I64_LOAD = (offset: number) => [0x29, ...number(3), ...number(offset)];
const I32_STORE = (offset: number) => [0x36, ...number(2), ...number(offset)];
const I32_CONST = (value: number) => [0x41, ...number(value)];
const I32_LT_U = [0x49];
const I32_GT_U = [0x4b];
const I32_ADD = [0x6a];
const I32_SHL = [0x74];
const I64_POPCNT = [0x7b];
const I64_ADD = [0x7c];
const I64_XOR = [0x85];
const I32_WRAP_I64 = [0xa7];

const [VECTOR, END_OF_VECTORS, LEAST, FOUND, EQUAL, QUESTION] = [0, 1, 2, 3, 4, 5] as const;

/**
 * Encodes the module for vectors of a number of 64-bit words.
 *
 * @param pages of its memory, of 64 KiB, which it exports: at 0 is the complement of the question
 */
export function encodeEqualBits(words: number, pages: number): Uint8Array<ArrayBuffer> {
  const each = Array.from({ length: words }, (_, i) => i);
  const body = [
    ...each.flatMap((i) => [...I32_CONST(0), ...I64_LOAD(8 * i), ...LOCAL_SET(QUESTION + i)]),
    ...LOOP,
    ...each.flatMap((i) => [
      ...[...LOCAL_GET(VECTOR), ...I64_LOAD(8 * i), ...LOCAL_GET(QUESTION + i), ...I64_XOR, ...I64_POPCNT],
      ...(i > 0 ? I64_ADD : []),
    ]),
    ...[...I32_WRAP_I64, ...LOCAL_SET(EQUAL)],
    ...[...LOCAL_GET(FOUND), ...LOCAL_GET(VECTOR), ...I32_STORE(0)],
    ...[...LOCAL_GET(FOUND), ...LOCAL_GET(EQUAL), ...I32_STORE(4)],
    ...[...LOCAL_GET(EQUAL), ...LOCAL_GET(LEAST), ...I32_GT_U, ...I32_CONST(3), ...I32_SHL],
    ...[...LOCAL_GET(FOUND), ...I32_ADD, ...LOCAL_SET(FOUND)],
    ...[...LOCAL_GET(VECTOR), ...I32_CONST(8 * words), ...I32_ADD, ...LOCAL_TEE(VECTOR)],
    ...[...LOCAL_GET(END_OF_VECTORS), ...I32_LT_U, ...BR_IF_0],
    ...END,
    ...[...LOCAL_GET(FOUND), ...END],
  ];
  const locals = list([
    [...number(1), I32],
    [...number(words), I64],
  ]);
  return Uint8Array.from([
    ...[...Buffer.from('\0asm'), 1, 0, 0, 0],
    ...section(1, list([[FUNCTION_TYPE, ...list([[I32], [I32], [I32], [I32]]), ...list([[I32]])]])),
    ...section(3, list([number(0)])),
    ...section(5, list([[0x00, ...number(pages)]])),
    ...section(
      7,
      list([
        [...name('compare'), EXPORTED_FUNCTION, ...number(0)],
        [...name('memory'), EXPORTED_MEMORY, ...number(0)],
      ]),
    ),
    ...section(10, list([bytes([...locals, ...body])])),
  ]);
}
