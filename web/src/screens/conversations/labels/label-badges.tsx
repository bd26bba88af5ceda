import styles from './labels.module.css';
import { type Label, useLabels } from './use-labels';

/** The labels of a conversation, in words that can be read on any background. */
export function LabelBadges({ ids }: { ids: readonly string[] }) {
  const { data } = useLabels();
  // The ids of a deleted label can be seen for some seconds.
  const labels = data?.filter(({ id }) => ids.includes(id)) ?? [];
  return labels.map((label) => (
    <span key={label.id} className={styles.badge}>
      <LabelName label={label} />
    </span>
  ));
}

/** Its colour in a dot before its name. */
export function LabelName({ label: { name, color } }: { label: Pick<Label, 'name' | 'color'> }) {
  return (
    <>
      <span className={styles.dot} style={{ backgroundColor: color }} />
      {name}
    </>
  );
}
