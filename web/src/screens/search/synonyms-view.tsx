import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Author } from '../../api/author';
import { CallDialog } from '../../api/call-dialog';
import { CallError } from '../../api/call-error';
import { usePermission } from '../../api/permission-gate';
import { client } from '../../api/trpc';
import { useFormat, useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import { Cell, DataTable } from '../../ui/data-table';
import { EmptyState } from '../../ui/notice';
import { Time } from '../../ui/time';
import collectionStyles from './collections.module.css';
import { messages } from './messages';
import { SynonymsDialog } from './synonyms-dialog';
import { SynonymsEffect } from './synonyms-effect';
import { SynonymsImport } from './synonyms-import';
import { useUnitScope } from './use-evaluations';
import { type Synonyms, useSynonymCalls, useSynonyms } from './use-synonyms';

/** The synonyms of the unit, and what they change on the judged collections. */
export function SynonymsView() {
  const t = useMessages(messages);
  const synonyms = useSynonyms();
  const mayWrite = usePermission('documents:write') === true;
  const [edited, setEdited] = useState<Synonyms | 'new'>();
  const [removed, setRemoved] = useState<Synonyms>();
  const [isImporting, setImporting] = useState(false);
  if (synonyms.error) return <CallError error={synonyms.error} onRetry={synonyms.refetch} />;
  if (!synonyms.data) return <p role="status">{t.collections.loading}</p>;
  const hasSome = synonyms.data.length > 0;
  const buttons: ReactNode = (
    <div className={collectionStyles.buttons}>
      {mayWrite && (
        <>
          <Button kind="primary" onClick={() => setEdited('new')}>
            {t.synonyms.add}
          </Button>
          <Button onClick={() => setImporting(true)}>{t.synonyms.import}</Button>
        </>
      )}
      {hasSome && <ExportButton />}
    </div>
  );
  return (
    <>
      {hasSome ? (
        <>
          <p>{t.synonyms.text}</p>
          {buttons}
          <SynonymsEffect />
          <SynonymsTable
            synonyms={synonyms.data}
            mayWrite={mayWrite}
            onEdit={setEdited}
            onRemove={setRemoved}
          />
        </>
      ) : (
        <EmptyState title={t.synonyms.none.title}>
          <p>{t.synonyms.none.text}</p>
          {buttons}
        </EmptyState>
      )}
      {edited && (
        <SynonymsDialog
          synonyms={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      )}
      {isImporting && <SynonymsImport onClose={() => setImporting(false)} />}
      {removed && <RemoveDialog synonyms={removed} onClose={() => setRemoved(undefined)} />}
    </>
  );
}

interface SynonymsTableProps {
  synonyms: Synonyms[];
  mayWrite: boolean;
  onEdit: (synonyms: Synonyms) => void;
  onRemove: (synonyms: Synonyms) => void;
}

function SynonymsTable({ synonyms, mayWrite, onEdit, onRemove }: SynonymsTableProps) {
  const t = useMessages(messages);
  const format = useFormat();
  return (
    <DataTable
      caption={t.synonyms.title}
      columns={[t.synonyms.words, t.synonyms.datasets, t.synonyms.changed, '']}
    >
      {synonyms.map((one) => (
        <tr key={one.id}>
          <Cell kind="wide">{describeSynonyms(one)}</Cell>
          <Cell label={t.synonyms.datasets}>{one.datasetIds?.join(', ') ?? t.synonyms.all}</Cell>
          <Cell label={t.synonyms.changed} kind="soft">
            <Time iso={one.updatedTime} /> {one.updatedBy && <Author userId={one.updatedBy} />}
          </Cell>
          <Cell kind="actions">
            {mayWrite && (
              <>
                <Button
                  size="small"
                  aria-label={format.named(t.synonyms.edit, one.terms[0] ?? '')}
                  onClick={() => onEdit(one)}
                >
                  {t.synonyms.edit}
                </Button>
                <Button
                  size="small"
                  kind="quiet"
                  aria-label={format.named(t.judge.remove, one.terms[0] ?? '')}
                  onClick={() => onRemove(one)}
                >
                  {t.judge.remove}
                </Button>
              </>
            )}
          </Cell>
        </tr>
      ))}
    </DataTable>
  );
}

const describeSynonyms = ({ terms, replacements }: Synonyms): string =>
  replacements ? `${terms.join(', ')} → ${replacements.join(', ')}` : terms.join(', ');

/** Saves the rules as a text. */
function ExportButton() {
  const t = useMessages(messages);
  const scope = useUnitScope();
  const load = useMutation({
    mutationFn: async () => {
      if (!scope) return;
      const { text } = await client.search.exportSynonyms.query({ scope });
      const link = document.createElement('a');
      link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
      link.download = 'synonyms.txt';
      link.click();
      URL.revokeObjectURL(link.href);
    },
  });
  return (
    <>
      <Button disabled={load.isPending} onClick={() => load.mutate()}>
        {t.synonyms.export}
      </Button>
      {load.error && <CallError error={load.error} />}
    </>
  );
}

function RemoveDialog({ synonyms, onClose }: { synonyms: Synonyms; onClose: () => void }) {
  const t = useMessages(messages);
  const scope = useUnitScope();
  const { remove } = useSynonymCalls();
  return (
    <CallDialog
      isDangerous
      title={t.synonyms.remove.title}
      cancel={t.collections.remove.cancel}
      submit={t.judge.remove}
      call={remove}
      onSubmit={() => scope && remove.mutate({ scope, synonymsId: synonyms.id }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>{t.synonyms.remove.text(describeSynonyms(synonyms))}</p>
    </CallDialog>
  );
}
