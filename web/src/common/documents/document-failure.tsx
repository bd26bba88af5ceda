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
  const isAdvised = SERVER_ADVICE.test(error.message);
  const [reason = ''] = error.message.split(SERVER_ADVICE, 1);
  return (
    <div className={styles.failure}>
      {/* The server's own advice is about this very file, but English. */}
      <p lang="en">{isAdvised && language !== 'en' ? `${reason}.` : error.message}</p>
      {(!isAdvised || language !== 'en') && <p>{t.advice[adviceOf(error.code, error.retryable)]}</p>}
    </div>
  );
}
