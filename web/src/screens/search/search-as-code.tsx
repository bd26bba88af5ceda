import { useQuery } from '@tanstack/react-query';
import { serverStatus } from '../../api/server-status';
import { CodeTabs } from '../../common/search-code/code-tabs';
import { snippetLanguages, toSnippet } from '../../common/search-code/snippets';
import { useMessages } from '../../language/language';
import { messages } from './messages';
import styles from './search.module.css';
import type { SearchInput } from './use-search';

/** The search as a command or a program, to be copied. */
export function SearchAsCode({ input }: { input: SearchInput }) {
  const t = useMessages(messages);
  const { data: server } = useQuery(serverStatus);
  const needsKey = server?.needsKey ?? true;
  const context = { origin: window.location.origin, needsKey };
  return (
    <details className={styles.code}>
      <summary>{t.code.title}</summary>
      {needsKey && <p className={styles.terms}>{t.code.key}</p>}
      <CodeTabs
        snippets={snippetLanguages.map((name) => ({ name, text: toSnippet(name, input, context) }))}
      />
    </details>
  );
}
