const plural = new Intl.PluralRules('en');
const countOf = (count: number, one: string, many: string) =>
  `${count} ${plural.select(count) === 'one' ? one : many}`;
const messagesOf = (count: number) => countOf(count, 'message', 'messages');

export const en = {
  title: 'Conversations',
  loading: 'Loading …',
  list: 'Conversations',
  noTopic: '(without topic)',
  messages: messagesOf,
  filters: 'Filters',
  any: 'Any',
  status: 'Status',
  agent: 'Agent',
  assignment: 'Assignment',
  counted: (count: number) => countOf(count, 'conversation', 'conversations'),
  empty: {
    title: 'No conversations here',
    text: 'Agents create them through the API. To see others, choose another tenant or unit.',
    filtered: 'No conversation fits the filters',
    clear: 'Clear the filters',
  },
  choose: { title: 'No conversation is chosen', text: 'Choose one of the list to read it.' },
  missing: {
    title: 'Conversation not found',
    text: 'It may have been deleted, or it belongs to another tenant or unit.',
  },
  back: 'All conversations',
  facts: {
    unit: 'Unit',
    user: 'User',
    created: 'Created',
    updated: 'Updated',
    id: 'Id',
  },
  rename: { button: 'Rename', topic: 'Topic', save: 'Save', cancel: 'Cancel' },
  remove: {
    button: 'Delete',
    pending: (topic: string) => `“${topic}” will be deleted in a few seconds, or when you leave this page.`,
    undo: 'Undo',
    failed: (topic: string, why: string) => `“${topic}” was not deleted. ${why}`,
    noAnswer: 'The server does not answer.',
  },
  history: {
    title: 'History of the status',
    created: (status: string) => `Created: ${status}`,
    by: (who: string) => `by ${who}`,
    earlier: (count: number) => countOf(count, 'earlier change', 'earlier changes'),
  },
  transcript: {
    title: 'Transcript',
    empty: 'No messages yet.',
    earlier: 'Show earlier messages',
    later: 'Show later messages',
    start: 'The conversation begins here.',
    refresh: 'Look for new messages',
    fromEnd: 'To the end',
    fromStart: 'To the beginning',
    senders: { user: 'User', agent: 'Agent', assistant: 'Assistant', system: 'System', tool: 'Tool' },
    tokens: (input: string, answer: string, total: string) =>
      `Tokens: ${input} in, ${answer} out, ${total} in all`,
    run: 'Run',
    feedback: 'Feedback',
    state: 'Status',
    kind: 'Type',
    trace: 'Event trace',
    metadata: 'Metadata',
    all: 'Show all of it',
  },
};
