import { getRouteApi } from '@tanstack/react-router';
import { type SyntheticEvent, useState } from 'react';
import { useLanguage, useMessages } from '../../language/language';
import { Button } from '../../ui/button';
import { TextField } from '../../ui/field';
import { ErrorNotice } from '../../ui/notice';
import { messages } from './messages';
import { NeighboursSelect } from './neighbours-select';
import { QuestionField } from './question-field';
import { readFilter } from './read-filter';
import styles from './search.module.css';
import { type LabSearch, secondSettings } from './search-params';
import { SettingsFields, toSettings, toTyped } from './settings-fields';

const route = getRouteApi('/search');
const FILTER_EXAMPLE = '{ "type": "eq", "key": "topic", "value": "money" }';

interface SearchFormProps {
  knownDatasets: string[];
  isAsking: boolean;
  /** What the server says of the filter. */
  filterFault: string | undefined;
  /** For a question that has been asked already. */
  onAskAgain: () => void;
}

/** A question and how to ask it, perhaps in two ways. Asking writes it to the address. */
export function SearchForm({ knownDatasets, isAsking, filterFault, onAskAgain }: SearchFormProps) {
  const t = useMessages(messages);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [question, setQuestion] = useState(search.q ?? '');
  const [filter, setFilter] = useState(search.filter ?? '');
  const { language } = useLanguage();
  // An address with a question says its language, or means English.
  const firstTyped = () =>
    toTyped(search, knownDatasets, search.q === undefined && language === 'zh' ? 'chinese' : undefined);
  const [first, setFirst] = useState(firstTyped);
  const other = secondSettings(search);
  const [second, setSecond] = useState(other && toTyped(other, knownDatasets));
  const [isMore, setMore] = useState(search.filter !== undefined);
  const [isMissing, setMissing] = useState(false);
  const [isBroken, setBroken] = useState(search.filter !== undefined && !readFilter(search.filter));

  // Another address is another search, such as the one before.
  const about = JSON.stringify(search);
  const [shown, setShown] = useState(about);
  if (about !== shown) {
    setShown(about);
    setQuestion(search.q ?? '');
    setFilter(search.filter ?? '');
    setFirst(firstTyped());
    setSecond(other && toTyped(other, knownDatasets));
  }
  // Known a little later than the form is shown.
  const [isFilled, setFilled] = useState(knownDatasets.length > 0);
  if (!isFilled && knownDatasets.length > 0) {
    setFilled(true);
    if (first.datasets.length === 0) setFirst({ ...first, datasets: knownDatasets });
  }

  const ask = (event: SyntheticEvent) => {
    event.preventDefault();
    const isIncomplete = first.datasets.length === 0 || second?.datasets.length === 0;
    setMissing(isIncomplete);
    const asksFilter = filter.trim() !== '';
    const isBroken = asksFilter && readFilter(filter) === undefined;
    setBroken(isBroken);
    if (isIncomplete || isBroken) return;
    const q = question.trim();
    const two = second && toSettings(second);
    const asked: LabSearch = {
      q,
      ...toSettings(first),
      filter: asksFilter ? filter.trim() : undefined,
      compare: two && 'yes',
      datasets2: two?.datasets,
      language2: two?.language,
      topK2: two?.topK,
      mode2: two?.mode,
      // Another question is not the saved one.
      question: q === search.q ? search.question : undefined,
    };
    const names = Object.keys(asked) as (keyof LabSearch)[];
    if (names.every((name) => search[name] === asked[name])) onAskAgain();
    else navigate({ search: (now) => ({ ...now, ...asked }) });
  };
  const fault = isBroken ? t.filter.notJson : filter.trim() === search.filter ? filterFault : undefined;
  return (
    <form className={styles.form} onSubmit={ask}>
      <div className={styles.question}>
        <QuestionField
          value={question}
          onValue={setQuestion}
          datasets={first.datasets}
          language={toSettings(first).language}
        />
        <Button type="submit" kind="primary">
          {isAsking ? t.asking : t.ask}
        </Button>
      </div>
      <SettingsFields legend={t.compare.first} isLegendHidden={!second} value={first} onChange={setFirst}>
        <NeighboursSelect />
      </SettingsFields>
      {second && <SettingsFields legend={t.compare.second} value={second} onChange={setSecond} />}
      <div className={styles.formFoot}>
        <details
          className={styles.more}
          open={isMore || fault !== undefined}
          onToggle={(event) => setMore(event.currentTarget.open)}
        >
          <summary>{t.filter.more(filter.trim() === '' ? 0 : 1)}</summary>
          <TextField
            label={t.filter.label}
            value={filter}
            placeholder={FILTER_EXAMPLE}
            spellCheck={false}
            fault={fault}
            onChange={(event) => {
              setFilter(event.target.value);
              setBroken(false);
            }}
          />
        </details>
        <Button size="small" onClick={() => setSecond(second ? undefined : first)}>
          {second ? t.compare.stop : t.compare.start}
        </Button>
      </div>
      {isMissing && <ErrorNotice>{t.needsDataset}</ErrorNotice>}
    </form>
  );
}
