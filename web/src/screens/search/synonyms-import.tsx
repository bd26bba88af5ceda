import { useState } from 'react';
import { CallDialog } from '../../api/call-dialog';
import type { Inputs } from '../../api/trpc';
import { useMessages } from '../../language/language';
import { Select, TextArea } from '../../ui/field';
import { messages } from './messages';
import { useUnitScope } from './use-evaluations';
import { useSynonymCalls } from './use-synonyms';

const importModes = ['add', 'replace'] as const satisfies Inputs['search']['importSynonyms']['mode'][];

/** Takes a text of synonyms, all lines or none. */
export function SynonymsImport({ onClose }: { onClose: () => void }) {
  const t = useMessages(messages);
  const scope = useUnitScope();
  const { load } = useSynonymCalls();
  const [text, setText] = useState('');
  const [mode, setMode] = useState<(typeof importModes)[number]>('add');
  return (
    <CallDialog
      title={t.synonyms.import}
      cancel={t.synonyms.cancel}
      submit={t.synonyms.import}
      call={load}
      isDangerous={mode === 'replace'}
      onSubmit={() => scope && load.mutate({ scope, text, mode }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <TextArea
        label={t.synonyms.lines}
        hint={t.synonyms.linesHint}
        value={text}
        rows={8}
        required
        spellCheck={false}
        onChange={(event) => setText(event.target.value)}
      />
      <Select
        label={t.synonyms.importMode}
        value={mode}
        options={importModes.map((value) => ({ value, text: t.synonyms.importModes[value] }))}
        onChange={(event) => setMode(importModes.find((one) => one === event.target.value) ?? 'add')}
      />
    </CallDialog>
  );
}
