const plural = new Intl.PluralRules('en');
const of = (count: number, one: string, many: string) => (plural.select(count) === 'one' ? one : many);

export const en = {
  title: 'Overview',
  atLeast: (count: string) => `≥ ${count}`,
  atLeastHint: 'Numbers with ≥ are still being counted.',
  attention: {
    title: 'Needs attention',
    nothing: 'Nothing needs attention.',
    failed: (text: string, count: number, reason: string) =>
      `${text} ${of(count, 'document', 'documents')} failed: ${reason}`,
    newest: (count: string) => `Reasons are those of the newest ${count} failed documents.`,
    again: 'Process again',
    againOf: (reason: string) => `Process again: ${reason}`,
    queued: (done: string, all: string) => `${done} of ${all}`,
    started: (text: string, count: number) =>
      `${text} ${of(count, 'document is', 'documents are')} processed again.`,
    more: (count: number) => `Show ${count} more`,
    less: 'Show fewer',
    warnings: (text: string, count: number) =>
      `${text} ${of(count, 'document has', 'documents have')} warnings`,
    warningsAdvice: 'Searches miss parts of them.',
    inputRequired: (text: string, count: number) =>
      `${text} ${of(count, 'conversation waits', 'conversations wait')} for input`,
    reviewRequested: (text: string, count: number) =>
      `${text} ${of(count, 'conversation waits', 'conversations wait')} for review`,
    webhooksPaused: (text: string, count: number) =>
      `${text} ${of(count, 'webhook is', 'webhooks are')} paused`,
    webhooksPausedAdvice: 'Fix the receiver, then resume.',
    webhooksFailing: (text: string, count: number) =>
      `${text} ${of(count, 'webhook fails', 'webhooks fail')}`,
    keysExpired: (text: string, count: number) =>
      `${text} API ${of(count, 'key', 'keys')} expired in the last 14 days`,
    keysExpiring: (text: string, count: number) =>
      `${text} API ${of(count, 'key expires', 'keys expire')} within 14 days`,
    keysExpiringAdvice: 'Rotate those that are still needed.',
    notServed: 'The search index does not answer',
    indexBehind: (text: string, count: number, late: string) =>
      `${text} ${of(count, 'change has', 'changes have')} not reached the search index, the oldest for ${late}`,
    rejected: (text: string, count: number) =>
      `The search server rejected ${text} ${of(count, 'chunk', 'chunks')}`,
    embeddingBehind: (text: string, count: number) =>
      `${text} ${of(count, 'chunk waits', 'chunks wait')} to be embedded`,
    embeddingFailed: (text: string, count: number) =>
      `${text} ${of(count, 'chunk', 'chunks')} could not be embedded`,
  },
  inAll: 'in all',
  documents: 'Documents',
  conversations: 'Conversations',
  usage: 'Storage and quotas',
  usageNames: {
    documents: 'Documents',
    chunks: 'Chunks',
    bytes: 'Files and texts',
    embeddedTokens: 'Embedded tokens',
    extractedPages: 'Pages read by an engine',
  },
  usageHint: 'Of the tenant as a whole, in all of its units.',
  used: (used: string, limit: string) => `${used} of ${limit}`,
  partOfTenant: 'This is counted for the tenant as a whole; your key has access to only a part of it.',
  needs: (permission: string) => `You need the permission ${permission}.`,
  rates: {
    title: 'Over time',
    period: 'Period',
    periods: { hour: 'Last hour', day: 'Last 24 hours' },
    processed: 'Documents processed',
    searches: 'Searches',
    latency: 'Time of a search',
    ready: 'Ready',
    failed: 'Failed',
    answered: 'Answered',
    median: 'Median',
    slow: '95th percentile',
    time: 'From',
    numbers: 'Numbers',
    processedSummary: (ready: string, failed: string, chunks: string) =>
      `${ready} ready, ${failed} failed, ${chunks} chunks`,
    searchesSummary: (answered: string, failed: string) => `${answered} answered, ${failed} failed`,
    latencySummary: (median: string, slow: string) => `Last: median ${median}, p95 ${slow}`,
    noSearches: 'No searches yet',
  },
  days: {
    title: 'Conversations by day',
    period: 'Days',
    periods: (days: number) => `Last ${days} days`,
    day: 'Day (UTC)',
    numbers: 'Numbers by day',
    none: 'There were no conversations in these days.',
    conversations: 'Conversations',
    messages: 'Messages',
    user: 'Of users',
    agent: 'Of agents',
    tokens: 'Tokens',
    input: 'Input',
    answer: 'Answers',
    feedback: 'Feedback',
    up: 'Good',
    down: 'Bad',
    firstAnswer: 'Time to first answer',
    median: 'Median',
    slow: '95th percentile',
    created: (count: string) => `${count} created`,
    messagesSummary: (user: string, agent: string) => `${user} of users, ${agent} of agents`,
    tokensSummary: (input: string, answer: string) => `${input} input, ${answer} in answers`,
    feedbackSummary: (up: string, down: string) => `${up} good, ${down} bad`,
    answersSummary: (median: string, average: string) => `Median ${median}, average ${average}`,
    noAnswers: 'No answers yet',
    byAgent: 'Conversations by agent',
    agentId: 'Agent',
    others: 'All other agents',
    hint: 'Days lead to the conversations that were created then, in your time zone; agents lead to all of theirs. Deleted conversations stay counted.',
  },
  start: {
    title: 'Nothing is here yet',
    text: 'This is how to begin in this tenant:',
    add: 'Add documents, and watch how they are processed',
    search: 'Ask a question in the search lab',
    keys: 'Create an API key for a program',
    reference: 'Read the API reference',
    seed: 'lectern seed fills the tenant demo with documents and conversations to try.',
  },
  loading: 'Loading …',
};
