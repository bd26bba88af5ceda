import type { Ref } from 'react';
import { useFormat, useMessages } from '../../../language/language';
import { Button } from '../../../ui/button';
import { Select, TextArea, TextField } from '../../../ui/field';
import { messages } from '../messages';
import styles from './add.module.css';
import type { Draft } from './draft';

export interface DraftProps {
  draft: Draft;
  set: (changed: Partial<Draft>) => void;
}

/** Files that are listed; the others are counted. */
const MAX_LISTED = 50;

interface SourceFieldsProps extends DraftProps {
  /** Of the field that a text is pasted into. */
  textRef: Ref<HTMLTextAreaElement>;
  onFiles: (files: File[]) => void;
}

/** What the documents are made of. */
export function SourceFields({ draft, set, textRef, onFiles }: SourceFieldsProps) {
  const t = useMessages(messages);
  switch (draft.kind) {
    case 'files':
      return <FileFields draft={draft} set={set} onFiles={onFiles} />;
    case 'text':
      return (
        <>
          <TextField
            label={t.add.name}
            value={draft.name}
            required
            maxLength={1_024}
            onChange={(event) => set({ name: event.target.value })}
          />
          <TextArea
            ref={textRef}
            label={t.add.content}
            value={draft.content}
            required
            rows={8}
            onChange={(event) => set({ content: event.target.value })}
          />
        </>
      );
    case 'urls':
      return (
        <TextArea
          label={t.add.urls}
          value={draft.urls}
          required
          rows={6}
          spellCheck={false}
          placeholder={t.add.examples.urls}
          onChange={(event) => set({ urls: event.target.value })}
        />
      );
    case 'sitemap':
      return (
        <TextField
          type="url"
          label={t.add.sitemap}
          hint={t.add.sitemapHint}
          value={draft.sitemap}
          required
          maxLength={8_192}
          placeholder={t.add.examples.sitemap}
          onChange={(event) => set({ sitemap: event.target.value })}
        />
      );
    case 'bucket':
      return (
        <>
          <Select
            label={t.add.store}
            value={draft.storageType}
            options={[
              { value: 's3', text: 'Amazon S3' },
              { value: 'gcs', text: 'Google Cloud Storage' },
            ]}
            onChange={(event) => set({ storageType: event.target.value === 'gcs' ? 'gcs' : 's3' })}
          />
          <TextField
            label={t.add.bucket}
            value={draft.bucket}
            required
            maxLength={1_024}
            spellCheck={false}
            onChange={(event) => set({ bucket: event.target.value })}
          />
          <TextField
            label={t.add.path}
            value={draft.path}
            required
            maxLength={4_096}
            spellCheck={false}
            placeholder={t.add.examples.path}
            onChange={(event) => set({ path: event.target.value })}
          />
        </>
      );
  }
}

function FileFields({ draft: { files }, set, onFiles }: DraftProps & { onFiles: (files: File[]) => void }) {
  const t = useMessages(messages);
  const format = useFormat();
  return (
    <>
      <label className={styles.chooser}>
        {t.add.choose}
        <input
          type="file"
          // They are listed below: the browser would say that there are none.
          className={files.length > 0 ? styles.hasChosen : undefined}
          multiple
          aria-label={t.add.kinds.files}
          onChange={(event) => {
            onFiles([...(event.target.files ?? [])]);
            event.target.value = '';
          }}
        />
      </label>
      {files.length > 0 && (
        <ul className={styles.chosenFiles} aria-label={t.add.chosen(files.length)}>
          {files.slice(0, MAX_LISTED).map((file, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two files may have one name
            <li key={`${place} ${file.name}`}>
              <span className={styles.fileName}>{file.name}</span>
              <span className={styles.fileSize}>{format.bytes(file.size)}</span>
              <Button
                size="small"
                kind="quiet"
                aria-label={t.uploads.forget(file.name)}
                onClick={() => set({ files: files.filter((one) => one !== file) })}
              >
                {t.uploads.remove}
              </Button>
            </li>
          ))}
          {files.length > MAX_LISTED && <li>{t.more(files.length - MAX_LISTED)}</li>}
        </ul>
      )}
    </>
  );
}
