import { Copy } from 'lucide-react';
import { type Dictionary, useMessages } from '../language/language';
import { Button } from './button';
import styles from './copy-id.module.css';
import { showToast } from './toast';

const en = {
  copy: 'Copy id',
  copyOf: (name: string) => `Copy id: ${name}`,
  copied: 'Copied',
  failed: 'The browser did not let the id be copied.',
};
const zh: typeof en = {
  copy: '复制 ID',
  copyOf: (name) => `复制 ID：${name}`,
  copied: '已复制',
  failed: '浏览器不允许复制 ID。',
};
const messages: Dictionary<typeof en> = { en, zh };

interface CopyIdProps {
  id: string;
  /** What has the id, where there are several on the screen. */
  of?: string | undefined;
}

/** Copies an id. Nothing where the browser does not let a page do that, as on plain http. */
export function CopyIdButton({ id, of }: CopyIdProps) {
  const t = useMessages(messages);
  if (!navigator.clipboard) return null;
  const copy = () =>
    navigator.clipboard.writeText(id).then(
      () => showToast({ text: t.copied }),
      () => showToast({ text: t.failed, tone: 'bad' }),
    );
  return (
    <Button
      kind="quiet"
      size="icon"
      aria-label={of === undefined ? t.copy : t.copyOf(of)}
      title={t.copy}
      onClick={copy}
    >
      <Copy />
    </Button>
  );
}

/** Of longer ids the beginning and the end are shown, which differ. */
const SHORT = [8, 4] as const;

/** A long id, shortened. The tooltip has all of it, and the button copies that. */
export function ShortId({ id, of }: CopyIdProps) {
  const [head, tail] = SHORT;
  const isLong = id.length > head + tail + 1;
  return (
    <span className={styles.id}>
      <code title={id}>{isLong ? `${id.slice(0, head)}…${id.slice(-tail)}` : id}</code>
      <CopyIdButton id={id} of={of} />
    </span>
  );
}

/** An id, with the button that copies it. */
export function Id({ id, of }: CopyIdProps) {
  return (
    <span className={styles.id}>
      <code>{id}</code>
      <CopyIdButton id={id} of={of} />
    </span>
  );
}
