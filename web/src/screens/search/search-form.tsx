import { getRouteApi } from '@tanstack/react-router';
import { type SyntheticEvent, useState } from 'react';
import { readDatasets } from '../../api/dataset-ids';
import { useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import { Select, TextField } from '../../ui/field';
import { ErrorNotice } from '../../ui/notice';
import { messages } from './messages';
import styles from './search.module.css';
import { DEFAULT_TOP_K, MAX_TOP_K, modes, questionLanguages, readLabSearch } from './search-params';

const route = getRouteApi('/search');

interface SearchFormProps {
  knownDatasets: string[];
  isAsking: boolean;
  /** For a question that has been asked already. */
  onAskAgain: () => void;
}

/** A question and how to ask it. Asking writes it to the address. */
export function SearchForm({ knownDatasets, isAsking, onAskAgain }: SearchFormProps) {
  const t = useMessages(messages);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [question, setQuestion] = useState(search.q ?? '');
  const [datasets, setDatasets] = useState(search.datasets ?? knownDatasets.join(', '));
  const [language, setLanguage] = useState<string>(search.language ?? 'english');
  const [topK, setTopK] = useState(String(search.topK ?? DEFAULT_TOP_K));
  const [mode, setMode] = useState<string>(search.mode ?? '');
  const [isMissing, setMissing] = useState(false);

  const ask = (event: SyntheticEvent) => {
    event.preventDefault();
    const datasetIds = readDatasets(datasets);
    setMissing(datasetIds.length === 0);
    if (datasetIds.length === 0) return;
    const asked = readLabSearch({ q: question.trim(), datasets: datasetIds.join(','), language, topK, mode });
    const isSame = Object.entries(asked).every(
      ([name, value]) => search[name as keyof typeof asked] === value,
    );
    if (isSame) onAskAgain();
    else navigate({ search: (now) => ({ ...now, ...asked }) });
  };
  return (
    <form className={styles.form} onSubmit={ask}>
      <div className={styles.question}>
        <TextField
          label={t.question}
          value={question}
          placeholder={t.placeholder}
          required
          maxLength={10_000}
          data-question
          autoFocus
          onChange={(event) => setQuestion(event.target.value)}
        />
        <Button type="submit" kind="primary" disabled={isAsking}>
          {isAsking ? t.asking : t.ask}
        </Button>
      </div>
      <div className={styles.settings}>
        <TextField
          label={t.datasets}
          value={datasets}
          spellCheck={false}
          onChange={(event) => setDatasets(event.target.value)}
        />
        <Select
          label={t.language}
          value={language}
          options={questionLanguages.map((value) => ({ value, text: t.languages[value] }))}
          onChange={(event) => setLanguage(event.target.value)}
        />
        <Select
          label={t.mode}
          value={mode}
          options={(['', ...modes] as const).map((value) => ({ value, text: t.modes[value] }))}
          onChange={(event) => setMode(event.target.value)}
        />
        <TextField
          label={t.topK}
          type="number"
          min={1}
          max={MAX_TOP_K}
          value={topK}
          onChange={(event) => setTopK(event.target.value)}
        />
      </div>
      {isMissing && <ErrorNotice>{t.needsDataset}</ErrorNotice>}
    </form>
  );
}
