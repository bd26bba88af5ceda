import { type InputHTMLAttributes, useId } from 'react';
import { TextField } from './field';

interface SuggestionFieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string;
  suggestions: readonly { value: string; text?: string | undefined }[];
}

/** A line of text that offers what there is to choose from, and takes anything. */
export function SuggestionField({ suggestions, ...rest }: SuggestionFieldProps) {
  const id = useId();
  return (
    <>
      <TextField {...rest} list={id} autoComplete="off" spellCheck={false} />
      <datalist id={id}>
        {suggestions.map(({ value, text }) => (
          <option key={value} value={value} label={text} />
        ))}
      </datalist>
    </>
  );
}
