import { SlidersHorizontal } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { type Dictionary, useMessages } from '../language/language';
import { Button } from './button';
import { useMedia } from './use-media';

const en = { filters: 'Filters', chosen: (count: number) => `Filters (${count})` };
const zh: typeof en = { filters: '筛选', chosen: (count) => `筛选（${count}）` };
const messages: Dictionary<typeof en> = { en, zh };

interface MoreFiltersProps {
  /** Of these filters, whatever the address says; only those that are set count. */
  values: readonly (string | undefined)[];
  children: ReactNode;
}

/** Filters that stand behind a button in a narrow window, which says how many of them are set. */
export function MoreFilters({ values, children }: MoreFiltersProps) {
  const t = useMessages(messages);
  const isNarrow = useMedia('(max-width: 800px)');
  const [isOpen, setOpen] = useState(false);
  if (!isNarrow) return children;
  const count = values.filter(Boolean).length;
  return (
    <>
      <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <SlidersHorizontal />
        {count > 0 ? t.chosen(count) : t.filters}
      </Button>
      {isOpen && children}
    </>
  );
}
