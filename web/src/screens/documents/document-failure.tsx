import type { Document } from '../../api/trpc';
import { useMessages } from '../../language/language';
import styles from './list.module.css';
import { messages } from './messages';

/** What to do about a failure, by the code that the server gives it. */
const KINDS: Record<string, keyof typeof messages.en.advice> = {
  encrypted: 'encrypted',
  corrupt: 'damaged',
  parser_crashed: 'damaged',
  broken_body: 'damaged',
  unsupported_type: 'format',
  archived: 'format',
  scanned: 'scanned',
  unknown_characters: 'scanned',
  extraction_unavailable: 'again',
  empty_text: 'empty',
  too_large: 'split',
  too_much_text: 'split',
  too_many_chunks: 'split',
  out_of_memory: 'split',
  timeout: 'split',
  unreachable: 'address',
  http_status: 'address',
  invalid_url: 'address',
  too_many_redirects: 'address',
  tls: 'address',
  not_found: 'address',
  blocked_address: 'access',
  bucket_not_allowed: 'access',
  access_denied: 'access',
  storage_not_supported: 'access',
  file_missing: 'missing',
  quota_exceeded: 'quota',
  cancelled: 'cancelled',
};

/** Why a document failed, in the server's sentence, and what to do about it. */
export function DocumentFailure({ error }: { error: NonNullable<Document['error']> }) {
  const t = useMessages(messages);
  const advice = t.advice[KINDS[error.code] ?? (error.retryable ? 'again' : 'source')];
  return (
    <div className={styles.failure}>
      <p lang="en">{error.message}</p>
      <p>{advice}</p>
    </div>
  );
}
