import { useNavigate } from '@tanstack/react-router';
import { useSuggestions } from '../../api/use-suggestions';
import { useMessages } from '../../language/language';
import { Combobox } from '../../ui/combobox';
import { MarkedText } from '../../ui/marked-text';
import { messages } from './messages';
import { plainExcerpt } from './plain-excerpt';
import type { SettingsSearch } from './search-params';

interface QuestionFieldProps {
  value: string;
  onValue: (value: string) => void;
  datasets: string[];
  language: SettingsSearch['language'];
}

/** The question, with what it may become, documents of that name, and what it finds so far. */
export function QuestionField({ value, onValue, datasets, language }: QuestionFieldProps) {
  const t = useMessages(messages);
  const navigate = useNavigate();
  const suggested = useSuggestions(value, datasets, language);
  const open = (documentId: string, chunk?: string) =>
    void navigate({ to: '/documents/$documentId', params: { documentId }, search: { chunk } });
  const groups = suggested && [
    {
      title: t.suggested.questions,
      choices: suggested.completions.map(({ word, text }) => ({
        key: `word-${word}`,
        content: text,
        onChoose: () => onValue(text),
      })),
    },
    {
      title: t.suggested.documents,
      choices: suggested.documents.map(({ id, name, title }) => ({
        key: `document-${id}`,
        content: name ?? title ?? id,
        onChoose: () => open(id),
      })),
    },
    {
      title: t.hits,
      choices: suggested.hits.map(({ id, documentId, documentName, excerpt, marks }) => ({
        key: `hit-${id}`,
        content: (
          <>
            <MarkedText {...plainExcerpt(excerpt, marks)} />
            <small>{documentName || documentId}</small>
          </>
        ),
        onChoose: () => open(documentId, id),
      })),
    },
  ];
  return (
    <Combobox
      label={t.question}
      value={value}
      onValue={onValue}
      groups={groups}
      empty={t.suggested.none}
      placeholder={t.placeholder}
      required
      maxLength={10_000}
      data-question
      autoFocus
    />
  );
}
