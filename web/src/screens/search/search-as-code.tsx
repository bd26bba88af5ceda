import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { serverStatus } from '../../api/server-status';
import { useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import { CopyButton } from '../../ui/copy-button';
import { messages } from './messages';
import styles from './search.module.css';
import { type SnippetLanguage, snippetLanguages, toSnippet } from './snippets';
import type { SearchInput } from './use-search';

/** The search as a command or a program, to be copied. */
export function SearchAsCode({ input }: { input: SearchInput }) {
  const t = useMessages(messages);
  const { data: server } = useQuery(serverStatus);
  const [language, setLanguage] = useState<SnippetLanguage>('curl');
  const needsKey = server?.needsKey ?? true;
  const snippet = toSnippet(language, input, { origin: window.location.origin, needsKey });
  return (
    <details className={styles.code}>
      <summary>{t.code.title}</summary>
      <div className={styles.codeBar}>
        {snippetLanguages.map((one) => (
          <Button key={one} size="small" aria-pressed={one === language} onClick={() => setLanguage(one)}>
            {one}
          </Button>
        ))}
        <CopyButton key={snippet} text={snippet} />
      </div>
      {needsKey && <p className={styles.terms}>{t.code.key}</p>}
      <section className={styles.snippet} aria-label={language}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide text is scrolled with the keyboard */}
        <pre tabIndex={0}>
          <code>{snippet}</code>
        </pre>
      </section>
    </details>
  );
}
