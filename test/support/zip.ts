import { CFB } from '@e965/xlsx';

/** A ZIP of some texts, by name. */
export function zipOf(parts: Record<string, string | Buffer>): Buffer {
  const zip = CFB.utils.cfb_new({ root: '/' });
  for (const [name, content] of Object.entries(parts))
    CFB.utils.cfb_add(zip, `/${name}`, Buffer.from(content));
  const entries = zip.FileIndex.map((entry, index) => ({ entry, path: zip.FullPaths[index] ?? '' }));
  // The library puts a note of its own into every container.
  for (const { path } of entries.filter(({ path }) => path.includes('Sh33tJ5'))) CFB.utils.cfb_del(zip, path);
  return Buffer.from(
    CFB.write(zip, { fileType: 'zip', type: 'buffer', compression: true } as never) as never,
  );
}
