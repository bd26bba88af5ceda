import { useState } from 'react';
import { Button } from '../../ui/button';
import { CopyButton } from '../../ui/copy-button';
import styles from './code-tabs.module.css';

interface CodeTabsProps {
  /** Each with what it is called, such as `curl`. */
  snippets: readonly { name: string; text: string }[];
}

/** The same as a command, as a program or in another form, one of them at a time, to be copied. */
export function CodeTabs({ snippets }: CodeTabsProps) {
  const [chosen, setChosen] = useState(snippets[0]?.name);
  const shown = snippets.find(({ name }) => name === chosen);
  return (
    <>
      <div className={styles.bar}>
        {snippets.map(({ name }) => (
          <Button key={name} size="small" aria-pressed={name === chosen} onClick={() => setChosen(name)}>
            {name}
          </Button>
        ))}
        {shown && <CopyButton key={shown.text} text={shown.text} />}
      </div>
      {shown && (
        <section className={styles.snippet} aria-label={shown.name}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide text is scrolled with the keyboard */}
          <pre tabIndex={0}>
            <code>{shown.text}</code>
          </pre>
        </section>
      )}
    </>
  );
}
