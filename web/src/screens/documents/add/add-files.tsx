import { type SyntheticEvent, useState } from 'react';
import { CallError } from '../../../api/call-error';
import { readDatasets } from '../../../api/dataset-ids';
import { useMessages } from '../../../language/language';
import { Button } from '../../../ui/button';
import { DialogActions } from '../../../ui/dialog';
import styles from '../documents.module.css';
import { messages } from '../messages';
import type { Destination } from './add-dialog';
import { DestinationFields } from './destination-fields';
import { useUploads } from './use-uploads';

interface AddFilesProps {
  initialFiles: File[];
  destination: Destination;
  onClose: () => void;
}

/** Uploads files one after another, and makes a document of each. */
export function AddFiles({ initialFiles, destination, onClose }: AddFilesProps) {
  const t = useMessages(messages);
  const [files, setFiles] = useState(initialFiles);
  const [unit, setUnit] = useState(destination.unit);
  const [datasets, setDatasets] = useState('');
  const { uploads, isRunning, isDone, start } = useUploads(files);
  const add = (event: SyntheticEvent) => {
    event.preventDefault();
    void start({
      scope: { tenantId: destination.tenantId, tenantUnitId: unit.trim() },
      datasetIds: readDatasets(datasets),
    });
  };
  return (
    <form className={styles.form} onSubmit={add}>
      {uploads.length === 0 ? (
        <input
          type="file"
          multiple
          aria-label={t.add.files}
          onChange={(event) => setFiles([...(event.target.files ?? [])])}
        />
      ) : (
        <ul className={styles.uploads}>
          {uploads.map(({ file, state, error }, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two files may have one name, and their order never changes
            <li key={place}>
              <span className={styles.fileName}>{file.name}</span>
              <span data-state={state}>{t.add.states[state]}</span>
              {error !== undefined && <CallError error={error} />}
            </li>
          ))}
        </ul>
      )}
      {!isDone && (
        <DestinationFields unit={unit} setUnit={setUnit} datasets={datasets} setDatasets={setDatasets} />
      )}
      <DialogActions>
        <Button onClick={onClose}>{isDone ? t.add.close : t.add.cancel}</Button>
        {!isDone && (
          <Button type="submit" kind="primary" disabled={isRunning || uploads.length === 0}>
            {t.add.submit}
          </Button>
        )}
      </DialogActions>
    </form>
  );
}
