import { useMessages } from '../../language/language';
import { Choice } from '../choice';
import { markdownMessages } from './messages';
import { markdownViews, useMarkdownView } from './use-markdown';

/** Whether Markdown is rendered, here and elsewhere. */
export function MarkdownChoice() {
  const t = useMessages(markdownMessages);
  const [view, setView] = useMarkdownView();
  const options = markdownViews.map((value) => ({ value, text: t[value] }));
  return <Choice label={t.label} value={view} options={options} onChange={setView} />;
}
