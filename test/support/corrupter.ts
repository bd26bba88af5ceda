/** Flips bits of bytes that pass, one of `every` on average; the same seed flips the same ones. */
export function corrupter({ seed, every }: { seed: number; every: number }): (bytes: Buffer) => Buffer {
  const random = mulberry32(seed);
  return (bytes) => {
    const corrupted = Buffer.from(bytes);
    for (let i = 0; i < corrupted.length; i++) {
      if (random() * every >= 1) continue;
      corrupted[i] = (corrupted[i] as number) ^ (1 + Math.floor(random() * 255));
    }
    return corrupted;
  };
}

/** Random numbers from 0 to 1 that follow from a seed. */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
