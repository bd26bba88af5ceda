import { getRouteApi } from '@tanstack/react-router';
import { useMessages } from '../../language/language';
import { Select } from '../../ui/field';
import { messages } from './messages';
import { neighbourCounts } from './search-params';

const route = getRouteApi('/search');

/** How many chunks around each hit are shown; the address says it. */
export function NeighboursSelect() {
  const t = useMessages(messages);
  const { neighbours } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Select
      label={t.neighbours.label}
      value={neighbours ?? ''}
      options={['' as const, ...neighbourCounts].map((count) => ({
        value: String(count),
        text: count === '' ? t.neighbours.none : t.neighbours.each(count),
      }))}
      onChange={({ target }) =>
        navigate({
          search: (now) => ({
            ...now,
            neighbours: neighbourCounts.find((count) => String(count) === target.value),
          }),
          resetScroll: false,
        })
      }
    />
  );
}
