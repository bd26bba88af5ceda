import type { Document } from '../../api/trpc';
import { type Advice, adviceOf, mayPass } from './failure-codes';

type Processed = Pick<Document, 'error'> & Partial<Pick<Document, 'source' | 'url' | 'storageBucket'>>;

/** Advice that asks for another file. */
const OTHER_FILE: readonly Advice[] = [
  'encrypted',
  'damaged',
  'format',
  'empty',
  'scanned',
  'unread',
  'split',
  'missing',
];

/**
 * Whether it can help to process a document again as it is. What is fetched again may be another file by now.
 *
 * @param hasEngine whether an extraction engine may read what Lectern cannot
 */
export function mayHelp({ source, error, ...document }: Processed, hasEngine: boolean): boolean {
  if (source === 'none' || error?.code === 'invalid_url') return false;
  // A document alone does not say where it is from; what was uploaded may have a URL, too.
  const isFetched = source
    ? source === 'url' || source === 'storage'
    : Boolean(document.url || document.storageBucket);
  if (!error || mayPass(error.code) || isFetched) return true;
  const advice = adviceOf(error.code, error.retryable);
  return !OTHER_FILE.includes(advice) || (hasEngine && advice !== 'encrypted' && advice !== 'missing');
}
