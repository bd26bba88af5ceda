import { type SyntheticEvent, useEffect, useState } from 'react';
import { SuggestionField } from './suggestion-field';

interface FilterFieldProps {
  label: string;
  value: string;
  placeholder: string;
  suggestions: readonly { value: string; text?: string | undefined }[];
  onFilter: (value: string) => void;
}

/** Filters by what is offered, or by something else, once it is chosen, entered or left. */
export function FilterField({ value, suggestions, onFilter, ...rest }: FilterFieldProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const filter = (typed: string) => {
    if (typed.trim() !== value) onFilter(typed.trim());
  };
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    filter(text);
  };
  return (
    <form onSubmit={submit}>
      <SuggestionField
        {...rest}
        value={text}
        suggestions={suggestions}
        maxLength={255}
        onChange={({ target: { value: typed } }) => {
          setText(typed);
          // One that is chosen from the list counts at once, as does a field that is emptied.
          if (typed === '' || suggestions.some((one) => one.value === typed)) filter(typed);
        }}
        onBlur={() => filter(text)}
      />
    </form>
  );
}
