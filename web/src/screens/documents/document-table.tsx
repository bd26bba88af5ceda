import type { Document } from '../../api/trpc';
import { useMessages } from '../../language/language';
import { DocumentRow } from './document-row';
import styles from './documents.module.css';
import { messages } from './messages';

interface DocumentTableProps {
  documents: Document[];
  onDelete: (document: Document) => void;
}

/** Documents, a row each; on narrow screens a card each. */
export function DocumentTable({ documents, onDelete }: DocumentTableProps) {
  const t = useMessages(messages);
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">{t.name}</th>
          <th scope="col">{t.type}</th>
          <th scope="col">{t.datasets}</th>
          <th scope="col">{t.status}</th>
          <th scope="col">{t.enabled}</th>
          <th scope="col" className={styles.number}>
            {t.chunks}
          </th>
          <th scope="col">{t.updated}</th>
          <th scope="col">
            <span className={styles.unseen}>{t.actions}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {documents.map((document) => (
          <DocumentRow key={document.id} document={document} onDelete={() => onDelete(document)} />
        ))}
      </tbody>
    </table>
  );
}
