import { useState } from 'react';
import { CallError } from '../../../api/call-error';
import { documentMessages } from '../../../common/documents/messages';
import type { Reader } from '../../../common/documents/readers';
import { useMessages } from '../../../language/language';
import { Button } from '../../../ui/button';
import { Tabs } from '../../../ui/tabs';
import { useMedia } from '../../../ui/use-media';
import { messages } from '../messages';
import styles from './add.module.css';
import type { Reading } from './preview-draft';
import { ChunkCount, PreviewedChunks } from './previewed-chunks';

/** Who is compared, in this order. */
export const COMPARED = ['own', 'engine'] as const;

interface ComparedReadingsProps {
  /** Of those that have read it. */
  readings: readonly Reading[];
  engine: string;
  chosen: Reader;
  onChoose: (reader: Reader) => void;
}

/** The same source, as several readers read it: side by side, or in a narrow window one at a time. */
export function ComparedReadings({ readings, engine, chosen, onChoose }: ComparedReadingsProps) {
  const t = useMessages(messages);
  const isNarrow = useMedia('(max-width: 700px)');
  const [shown, setShown] = useState<(typeof COMPARED)[number]>('own');
  const columns = COMPARED.map((reader) => {
    const name = reader === 'engine' ? engine : t.preview.lectern;
    return {
      reader,
      name,
      content: (
        <OneReading
          reading={readings.find((reading) => reading.reader === reader)}
          name={name}
          isChosen={reader === chosen}
          onChoose={() => onChoose(reader)}
        />
      ),
    };
  });
  if (isNarrow) {
    return (
      <Tabs
        label={t.preview.readers}
        value={shown}
        tabs={columns.map(({ reader, name }) => ({ value: reader, text: name }))}
        onChange={setShown}
      >
        {columns.find(({ reader }) => reader === shown)?.content}
      </Tabs>
    );
  }
  return (
    <div className={styles.compared}>
      {columns.map(({ reader, name, content }) => (
        <section key={reader} aria-label={name}>
          <h3>{name}</h3>
          {content}
        </section>
      ))}
    </div>
  );
}

interface OneReadingProps {
  /** Undefined while it is read. */
  reading: Reading | undefined;
  name: string;
  isChosen: boolean;
  onChoose: () => void;
}

function OneReading({ reading, name, isChosen, onChoose }: OneReadingProps) {
  const t = useMessages(messages);
  const { readBy } = useMessages(documentMessages);
  const { preview, error } = reading ?? {};
  return (
    <>
      <div className={styles.readingHead}>
        <span role="status">
          {!reading && t.preview.running}
          {preview && <ChunkCount preview={preview} />}
        </span>
        <Button size="small" aria-pressed={isChosen} onClick={onChoose}>
          {readBy.choose(name)}
        </Button>
      </div>
      {error !== undefined && <CallError error={error} />}
      {preview && <PreviewedChunks preview={preview} name={name} />}
    </>
  );
}
