import { TransformStream } from 'node:stream/web';
import { setImmediate } from 'node:timers/promises';
import { textParts } from '../async/text-parts.js';

const encoder = new TextEncoder();

/**
 * Encodes text as Node's own TextEncoderStream does, which copies it character by character: of the 9 MB of a large page,
 * which tRPC sends as one line of a streamed batch, that takes 700 ms. Other work of the event loop runs between the parts.
 */
export class SteppedTextEncoderStream extends TransformStream<string, Uint8Array> {
  readonly encoding = 'utf-8';

  constructor() {
    super({
      async transform(text, controller) {
        for (const part of textParts(text)) {
          controller.enqueue(encoder.encode(part));
          if (part.length < text.length) await setImmediate();
        }
      },
    });
  }
}
