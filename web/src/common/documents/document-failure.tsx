import type { Document } from '../../api/trpc';
import { useLanguage } from '../../language/language';
import styles from './document-failure.module.css';
import { documentMessages } from './messages';

/** What to do about a failure, by the code that the server gives it. */
const KINDS: Record<string, keyof typeof documentMessages.en.advice> = {
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

/** Behind the reason, a sentence of the server may say what to do. */
const SERVER_ADVICE = /; |\. (?=[A-Z])/;

/** Why a document failed, in the server's sentence, and what to do about it, which is said once. */
export function DocumentFailure({ error }: { error: NonNullable<Document['error']> }) {
  const { language } = useLanguage();
  const t = documentMessages[language];
  const isAdvised = SERVER_ADVICE.test(error.message);
  const [reason = ''] = error.message.split(SERVER_ADVICE, 1);
  return (
    <div className={styles.failure}>
      {/* The server's own advice is about this very file, but English. */}
      <p lang="en">{isAdvised && language !== 'en' ? `${reason}.` : error.message}</p>
      {(!isAdvised || language !== 'en') && (
        <p>{t.advice[KINDS[error.code] ?? (error.retryable ? 'again' : 'source')]}</p>
      )}
    </div>
  );
}
