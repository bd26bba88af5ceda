import type { Document } from '../../api/trpc';
import { useLanguage } from '../../language/language';
import styles from './document-failure.module.css';
import { adviceOf } from './failure-codes';
import { documentMessages } from './messages';

/** Behind the reason, a sentence of the server may say what to do. */
const SERVER_ADVICE = /; |\. (?=[A-Z])/;

/** Why a document failed, in the server's sentence, and what to do about it, which is said once. */
export function DocumentFailure({ error }: { error: NonNullable<Document['error']> }) {
  const { language } = useLanguage();
  const t = documentMessages[language];
  const reason = t.failures[error.code];
  if (language !== 'en' && reason !== undefined) {
    return (
      <div className={styles.failure}>
        {/* The server's sentence is about this very file, but English. */}
        <p title={error.message}>{t.failed(reason)}</p>
        <p>{t.advice[adviceOf(error.code, error.retryable)]}</p>
      </div>
    );
  }
  return (
    <div className={styles.failure}>
      <p lang="en">{error.message}</p>
      {!SERVER_ADVICE.test(error.message) && <p>{t.advice[adviceOf(error.code, error.retryable)]}</p>}
    </div>
  );
}
