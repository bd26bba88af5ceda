import styles from '../document.module.css';
import type { OneDocument } from '../use-document';
import { Facts } from './facts';
import { PropertiesForm } from './properties-form';

/** What is known of a document: what can be changed, and what cannot. */
export function PropertiesView({ document }: { document: OneDocument }) {
  return (
    <div className={styles.properties}>
      <PropertiesForm document={document} />
      <Facts document={document} />
    </div>
  );
}
