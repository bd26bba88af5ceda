import { useMessages } from '../../language/language';
import { Check, CheckGroup } from '../../ui/check';
import { TextField } from '../../ui/field';
import { type EventType, eventTypes } from './events';
import { messages } from './messages';

export interface WebhookDraft {
  url: string;
  description: string;
  eventTypes: EventType[];
}

/** As the procedures take it. */
export const readDraft = ({ url, description, eventTypes }: WebhookDraft) => ({
  url: url.trim(),
  description: description.trim() || null,
  eventTypes,
});

interface WebhookFieldsProps {
  draft: WebhookDraft;
  onChange: (draft: WebhookDraft) => void;
}

/** What can be changed of a webhook. */
export function WebhookFields({ draft, onChange }: WebhookFieldsProps) {
  const t = useMessages(messages);
  const toggle = (type: EventType) =>
    onChange({
      ...draft,
      eventTypes: eventTypes.filter((one) => draft.eventTypes.includes(one) !== (one === type)),
    });
  return (
    <>
      <TextField
        label={t.form.url}
        hint={t.form.urlHint}
        type="url"
        value={draft.url}
        required
        maxLength={2_048}
        onChange={(event) => onChange({ ...draft, url: event.target.value })}
      />
      <TextField
        label={t.form.description}
        value={draft.description}
        maxLength={1_000}
        onChange={(event) => onChange({ ...draft, description: event.target.value })}
      />
      <CheckGroup label={t.form.events}>
        {eventTypes.map((type) => (
          <Check
            key={type}
            name={type}
            hints={[t.events[type]]}
            checked={draft.eventTypes.includes(type)}
            onChange={() => toggle(type)}
          />
        ))}
      </CheckGroup>
    </>
  );
}
