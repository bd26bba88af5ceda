import { conversationMessages } from '../../../common/conversations/messages';
import { useMessages } from '../../../language/language';
import { Select } from '../../../ui/field';
import { SuggestionField } from '../../../ui/suggestion-field';
import { LabelChoice } from '../labels/label-choice';
import { messages } from '../messages';
import { MAX_LABELS, type Status, statuses } from '../search-params';
import { useFacets } from '../use-conversations';
import type { Change } from './steps';

interface FieldsProps {
  change: Change | undefined;
  onChange: (change: Change | undefined) => void;
}

/** The status that conversations get. */
export function StatusFields({ change, onChange }: FieldsProps) {
  const t = useMessages(messages);
  const states = useMessages(conversationMessages);
  return (
    <Select
      label={t.status}
      value={(change?.action === 'setStatus' && change.status) || ''}
      options={[
        { value: '', text: states.statuses.none },
        ...statuses.map((value) => ({ value, text: states.statuses[value] })),
      ]}
      onChange={({ target: { value } }) =>
        onChange({ action: 'setStatus', status: value === '' ? null : (value as Status) })
      }
    />
  );
}

/** The assignment that they get, or none. */
export function AssignFields({ change, onChange }: FieldsProps) {
  const t = useMessages(messages);
  const { data: facets } = useFacets();
  return (
    <SuggestionField
      label={t.assignment}
      placeholder={t.bulk.noAssignment}
      value={(change?.action === 'assign' && change.assignmentId) || ''}
      maxLength={255}
      suggestions={(facets?.assignments ?? []).map((one) => ({
        value: one.assignmentId,
        text: t.counted(one.count),
      }))}
      onChange={({ target: { value } }) =>
        onChange({ action: 'assign', assignmentId: value.trim() === '' ? null : value.trim() })
      }
    />
  );
}

/** Labels that they get or lose. */
export function LabelFields({ field, change, onChange }: FieldsProps & { field: 'add' | 'remove' }) {
  const chosen = (change?.action === 'setLabels' && change[field]) || [];
  return (
    <LabelChoice
      chosen={chosen}
      mayMake={field === 'add'}
      onToggle={(labelId, isChosen) => {
        const others = chosen.filter((id) => id !== labelId);
        const next = isChosen ? [...others, labelId].slice(0, MAX_LABELS) : others;
        onChange(next.length > 0 ? { action: 'setLabels', [field]: next } : undefined);
      }}
    />
  );
}
