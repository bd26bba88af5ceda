import { useMessages } from '../../language/language';
import { Select } from '../../ui/field';
import { documentMessages } from './messages';
import { type Reader, readers, useEngine } from './readers';

interface ReaderFieldProps {
  value: Reader | 'unknown';
  hint?: string;
  onReader: (reader: Reader) => void;
}

/** Who reads a document; nothing where the server has no extraction engine, and so no choice. */
export function ReaderField({ value, hint, onReader }: ReaderFieldProps) {
  const t = useMessages(documentMessages);
  const engine = useEngine();
  if (engine === undefined) return null;
  const options = readers.map((reader) => ({ value: reader, text: t.readers[reader](engine) }));
  return (
    <Select
      label={t.readBy.label}
      hint={hint}
      value={value}
      options={value === 'unknown' ? [{ value, text: t.readers.unknown() }, ...options] : options}
      onChange={(event) => {
        const chosen = readers.find((reader) => reader === event.target.value);
        if (chosen) onReader(chosen);
      }}
    />
  );
}
