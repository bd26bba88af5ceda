import { finished } from 'node:stream';
import { currentSpan, inSpan } from '../tracing/spans.js';
import type { FileStorage } from './file-storage.js';

/**
 * A storage with a span for each file that is written, read or removed.
 *
 * @param kind file, s3 or gs
 */
export function traceStorage(storage: FileStorage, kind: string): FileStorage {
  const options = { kind: 'client', attributes: { 'lectern.storage': kind } } as const;
  return {
    ...storage,
    write: (source, limits) =>
      inSpan('write file', options, async (span) => {
        const file = await storage.write(source, limits);
        span?.set({ 'lectern.bytes': file.sizeBytes });
        return file;
      }),
    read(key, range) {
      const stream = storage.read(key, range);
      const parent = currentSpan();
      if (!parent?.isRecording) return stream;
      const span = parent.startChild('read file', options);
      finished(stream, (error) => {
        if (error) span.fail(error);
        span.end();
      });
      return stream;
    },
    remove: (key) => inSpan('remove file', options, () => storage.remove(key)),
  };
}
