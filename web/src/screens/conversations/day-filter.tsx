import { TextField } from '../../ui/field';

interface DayFilterProps {
  label: string;
  /** As in `2026-11-27`. */
  value: string | undefined;
  onFilter: (day: string) => void;
}

/** Filters by a day, once it is chosen or its field is left: a day that is being typed is another one. */
export function DayFilter({ label, value = '', onFilter }: DayFilterProps) {
  return (
    <TextField
      key={value}
      label={label}
      type="date"
      defaultValue={value}
      onBlur={({ target }) => {
        if (target.value !== value) onFilter(target.value);
      }}
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'Enter') currentTarget.blur();
      }}
    />
  );
}
