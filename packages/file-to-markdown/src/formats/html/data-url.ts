import type { StoredPicture } from '../../shared/pictures/pictures-in-text.js';

const START = /^\s{0,9}data:image\/(?:png|jpe?g|webp|tiff)\s{0,9};\s{0,9}base64\s{0,9},/i;

/** A picture that is written into the page; undefined for all others, which would have to be fetched. */
export function dataUrlPicture(source: string): StoredPicture | undefined {
  const start = START.exec(source)?.[0].length;
  if (start === undefined) return undefined;
  const decode = async (characters?: number) =>
    Buffer.from(source.slice(start, characters && start + characters), 'base64');
  return {
    size: Math.ceil(((source.length - start) * 3) / 4),
    head: (length) => decode(2 * length),
    bytes: () => decode(),
  };
}
