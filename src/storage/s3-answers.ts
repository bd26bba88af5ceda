import { finished, Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import { readBytes } from '../async/limit-bytes.js';
import { linkedController } from '../async/linked-signals.js';

/** A page of a thousand names takes a third of it. */
const MAX_ANSWER_BYTES = 2 ** 20;
/** Such a page has 22,000; parsing 350,000 takes half a second. */
const MAX_TAGS = 40_000;

/** Reads what the SDK reads as a whole: errors, lists and all other answers but objects. */
export async function collectAnswer(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const bytes = await readBytes(body, MAX_ANSWER_BYTES, () => tooLarge('1 MiB'));
  let tags = 0;
  for (let at = bytes.indexOf('<'); at >= 0 && tags <= MAX_TAGS; at = bytes.indexOf('<', at + 1)) tags++;
  if (tags > MAX_TAGS) throw tooLarge(`${MAX_TAGS} XML tags`);
  return bytes;
}

const tooLarge = (limit: string) =>
  Object.assign(new Error(`The bucket answers with more than ${limit} where it should say little.`), {
    // Without it the SDK adds a sentence of its own.
    $metadata: {},
  });

type Send = (command: object, options: SendOptions) => Promise<{ Body?: unknown }>;
interface SendOptions {
  abortSignal?: AbortSignal;
}

/** Gives all requests of a client a deadline, within which the head of an object or the whole of other answers must come. */
export function withDeadlines(client: S3Client, ms: number): S3Client {
  const send = client.send.bind(client) as Send;
  const sendInTime: Send = async (command, options = {}) => {
    const { signal, abort, unlink } = linkedController(options.abortSignal);
    const message = `The bucket has not answered within ${ms / 1000} seconds.`;
    const late = Object.assign(new Error(message), { name: 'TimeoutError' });
    const timer = setTimeout(() => abort(late), ms).unref();
    try {
      const answer = await send(command, { ...options, abortSignal: signal });
      // The caller may still stop an object that it reads.
      if (answer.Body instanceof Readable) finished(answer.Body, unlink);
      else unlink();
      return answer;
    } catch (error) {
      unlink();
      throw signal.reason === late ? late : error;
    } finally {
      clearTimeout(timer);
    }
  };
  return Object.assign(client, { send: sendInTime });
}
