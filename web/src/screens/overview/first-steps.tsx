import { Link, useNavigate } from '@tanstack/react-router';
import { ClipboardPaste, Globe, Library, Upload } from 'lucide-react';
import { CallError } from '../../api/call-error';
import { usePermission } from '../../api/permission-gate';
import { useSamples } from '../../common/documents/samples/use-samples';
import { useMessages } from '../../language/language';
import styles from './first-steps.module.css';
import { messages } from './messages';

const WAYS = [
  { add: 'files', Icon: Upload },
  { add: 'text', Icon: ClipboardPaste },
  { add: 'urls', Icon: Globe },
] as const;

/** The one question that a tenant without anything is asked. */
export function FirstSteps() {
  const t = useMessages(messages).start;
  const navigate = useNavigate();
  const samples = useSamples();
  const mayAdd = usePermission('documents:write') !== false;
  const addSamples = () => {
    samples.mutate();
    void navigate({ to: '/documents' });
  };
  return (
    <section className={styles.start} aria-labelledby="first-steps">
      <h2 id="first-steps">{t.title}</h2>
      <p>{mayAdd ? t.text : t.mayNot}</p>
      {mayAdd && (
        <ul className={styles.ways}>
          {WAYS.map(({ add, Icon }) => (
            <li key={add}>
              <Link to="/documents" search={{ add }} className={styles.way}>
                <Icon />
                <strong>{t.ways[add].title}</strong>
                <span>{t.ways[add].text}</span>
              </Link>
            </li>
          ))}
          <li>
            <button type="button" className={styles.way} disabled={samples.isPending} onClick={addSamples}>
              <Library />
              <strong>{t.ways.samples.title}</strong>
              <span>{t.ways.samples.text}</span>
            </button>
          </li>
        </ul>
      )}
      {samples.error && <CallError error={samples.error} />}
      <p className={styles.more}>
        {t.more} <a href="/docs">{t.reference}</a>
      </p>
    </section>
  );
}
