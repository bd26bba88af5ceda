import { CallError } from '../../../api/call-error';
import { useFormat, useMessages } from '../../../language/language';
import { Button } from '../../../ui/button';
import { messages } from '../messages';
import styles from './add.module.css';
import { cancelUpload, retryUpload, type Upload, useUploads } from './uploads';

/** Rows that are shown; the others are counted. */
const MAX_SHOWN = 50;

/** Files that are being uploaded, a row each; gone when all are documents. */
export function UploadList() {
  const t = useMessages(messages);
  const uploads = useUploads();
  if (uploads.length === 0) return null;
  return (
    <section className={styles.uploads} aria-label={t.uploads.title}>
      <h2>{t.uploads.left(uploads.length)}</h2>
      <ul>
        {uploads.slice(0, MAX_SHOWN).map((upload) => (
          <UploadRow key={upload.id} upload={upload} />
        ))}
      </ul>
      {uploads.length > MAX_SHOWN && <p>{t.more(uploads.length - MAX_SHOWN)}</p>}
    </section>
  );
}

function UploadRow({ upload: { id, file, state, sent, error } }: { upload: Upload }) {
  const t = useMessages(messages);
  const format = useFormat();
  const percent = Math.floor(sent * 100);
  return (
    <li>
      <span className={styles.fileName}>{file.name}</span>
      <span className={styles.fileSize}>{format.bytes(file.size)}</span>
      <span className={styles.sent} data-state={state}>
        {state === 'uploading' && (
          <progress
            className={styles.progress}
            aria-label={t.uploads.sending(file.name)}
            max={100}
            value={percent}
          />
        )}
        {state === 'uploading' ? `${percent} %` : t.uploads.states[state]}
      </span>
      <span className={styles.uploadActions}>
        {state === 'failed' && (
          <Button size="small" aria-label={t.retryOf(file.name)} onClick={() => retryUpload(id)}>
            {t.retry}
          </Button>
        )}
        <Button
          size="small"
          kind="quiet"
          aria-label={state === 'failed' ? t.uploads.forget(file.name) : t.uploads.cancelOf(file.name)}
          onClick={() => cancelUpload(id)}
        >
          {state === 'failed' ? t.uploads.remove : t.uploads.cancel}
        </Button>
      </span>
      {error !== undefined && <CallError error={error} />}
    </li>
  );
}
