import { CallError } from '../../api/call-error';
import { usePermission } from '../../api/permission-gate';
import { useFormat, useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import { Panel, Remark } from '../../ui/panel';
import { ScrollBox } from '../../ui/scroll-box';
import { messages } from './messages';
import styles from './operations.module.css';
import { useDrift, type Verification } from './use-operations';

/** Compares the search index with the database, and repairs it. */
export function DriftPanel() {
  const t = useMessages(messages).drift;
  const { needs } = useMessages(messages);
  const isPermitted = usePermission('operations');
  const { mutate, cancel, isPending, data, error, variables } = useDrift();
  const isRepair = variables?.isRepair ?? false;
  return (
    <Panel title={t.title}>
      {isPermitted === false && <Remark>{needs('operations')}</Remark>}
      {isPermitted && (
        <>
          <Remark>{t.text}</Remark>
          <div className={styles.actions}>
            <Button disabled={isPending} onClick={() => mutate({ isRepair: false })}>
              {t.verify}
            </Button>
            <Button disabled={isPending} onClick={() => mutate({ isRepair: true })}>
              {t.repair}
            </Button>
            {isPending && (
              <Button kind="quiet" onClick={cancel}>
                {t.cancel}
              </Button>
            )}
          </div>
        </>
      )}
      <div role="status" className={styles.result}>
        {isPending && <Remark>{isRepair ? t.repairing : t.verifying}</Remark>}
        {data === null && <p>{t.none}</p>}
        {data && <Outcome found={data} />}
      </div>
      {error && <CallError error={error} onRetry={() => mutate({ isRepair })} />}
    </Panel>
  );
}

const kinds = ['missing', 'outdated', 'surplus'] as const satisfies (keyof Verification)[];
const MAX_SHOWN = 3;

function Outcome({ found }: { found: Verification }) {
  const t = useMessages(messages).drift;
  const format = useFormat();
  const different = kinds.filter((kind) => found[kind].count > 0);
  if (different.length === 0) {
    return (
      <>
        <p>{t.inStep(format.count(found.chunks), found.chunks)}</p>
        {found.waiting > 0 && <Remark>{t.pending(format.count(found.waiting))}</Remark>}
      </>
    );
  }
  return (
    <>
      <p>
        {t.differs} {found.repaired > 0 && t.repaired(format.count(found.repaired), found.repaired)}
      </p>
      <ScrollBox label={t.differs} className={styles.scroll}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{t.kind}</th>
              <th scope="col" className={styles.number}>
                {t.number}
              </th>
              <th scope="col">{t.first}</th>
            </tr>
          </thead>
          <tbody>
            {different.map((kind) => (
              <tr key={kind}>
                <th scope="row">{t.kinds[kind]}</th>
                <td className={styles.number}>{format.count(found[kind].count)}</td>
                <td className={styles.ids}>
                  <code>{found[kind].ids.slice(0, MAX_SHOWN).join(' ')}</code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
      {found.waiting > 0 && <Remark>{t.pending(format.count(found.waiting))}</Remark>}
    </>
  );
}
