import type { procedures } from '../routers/app-router.js';

type Sentences = { [R in keyof typeof procedures]: Record<keyof (typeof procedures)[R], string> };

/** What each procedure does. One that is missing does not compile. */
const sentences: Sentences = {
  conversations: {
    list: 'Lists conversations, newest first.',
    get: 'Returns a conversation.',
    facets: 'Lists the agents and assignments of the latest conversations, for use as filters.',
    statusHistory: 'Lists the status changes of a conversation.',
    create: 'Creates a conversation.',
    update: 'Changes the topic or the assignment of a conversation.',
    setStatus: 'Sets the status of a conversation.',
    review: 'Stores a verdict on a conversation, and sets its status to `reviewed`.',
    reviews: 'Lists the reviews of a conversation, newest first.',
    nextForReview:
      'Returns the oldest conversation with the status `review-requested`, or the one after or before another, and how many there are.',
    setLabels: 'Adds labels to a conversation and removes others. Returns the conversation.',
    bulk: 'Changes the status, assignment or labels of conversations that a filter matches, or deletes them, up to 500 in a call, and says where the next call begins. Also needs `conversations:read`.',
    setLegalHold:
      'Sets the legal hold of a conversation, which nothing can then delete, or lifts it. Returns the conversation.',
    delete: 'Deletes a conversation with its messages, unless it is under a legal hold.',
    export:
      'Returns a part of an export of conversations with their messages, as NDJSON, CSV, Markdown or HTML, and where the next one begins.',
    import:
      'Stores up to 100 conversations of an export with their messages, each id once. Also takes the permission `messages:write`.',
  },
  labels: {
    list: 'Lists the labels of a tenant by name.',
    create: 'Creates a label. Not with a key that is restricted to units.',
    update: 'Changes the name or the colour of a label. Not with a key that is restricted to units.',
    delete:
      'Deletes a label and removes it from its conversations. Not with a key that is restricted to units.',
  },
  messages: {
    list: 'Lists the messages of a conversation, oldest first.',
    search:
      'Finds messages and topics of conversations by their words, best first, with the passage that has them.',
    append:
      'Appends up to 100 messages to a conversation, each id once; creates the conversation if the request describes it, and sets its status if asked to.',
    stream:
      'Stores a message part by part, while a model writes it. Part 0 opens the message, and a part with `close` closes it.',
    setFeedback:
      'Sets the verdict on a message, `up` or `down`, with a note; null takes it back. Followers get the message again.',
    follow:
      'Streams the messages of a conversation as server-sent events while they are stored. Begins with the newest ones, or after `lastEventId`.',
  },
  datasets: {
    list: 'Lists the datasets that have documents, with documents, chunks, bytes and the last change of each.',
  },
  documents: {
    create: 'Creates a document, which is processed in the background.',
    createMany: 'Creates many documents: from URLs, descriptions, or a sitemap or feed.',
    previewChunks: 'Returns the chunks that a source would produce, without storing anything.',
    upsert:
      'Creates the document with an external id, or changes it. Fields that are absent keep their value.',
    get: 'Returns a document with its inline content.',
    getMany: 'Returns documents by id, in the order of the ids. Ids that do not exist are left out.',
    list: 'Lists documents, newest first unless `order` says otherwise.',
    update: 'Changes a document. New content or a new URL is processed in the background.',
    setEnabled: 'Enables or disables a document. Searches find only enabled ones.',
    setEnabledMany: 'Enables or disables documents, all of them or none. Returns those that it changed.',
    setDatasetsMany:
      'Adds documents to datasets and takes them out of others, all of them or none. Returns those that it changed, with the datasets before.',
    delete: 'Deletes a document with its chunks.',
    deleteMany: 'Deletes documents with their chunks, all of them or none.',
    reprocess: 'Processes a document again.',
    reprocessMany: 'Processes documents again, all of them or none.',
    cancel: 'Stops the processing of a document.',
    cancelMany: 'Stops the processing of documents.',
    history: 'Lists the changes of a document and of its chunks, newest first.',
    sourceText: 'Returns pages of the source text, with the positions of the chunks.',
    readSource: 'Returns a part of the uploaded file.',
    waitUntilSearchable: 'Waits until the latest changes of documents are searchable.',
    progress: 'Streams the progress of documents as server-sent events. Reconnect when the stream ends.',
  },
  chunks: {
    list: 'Lists the chunks of a document, in document order.',
    search:
      'Searches the active chunks of enabled documents, best first. Each hit has a citation and, if `context` is given, the text around it.',
    suggest:
      'Answers a question that is still being typed: completions of its last word, documents by their names, and hits. It has a rate limit of its own.',
    update: 'Changes the text or the keywords of a chunk.',
    restore: 'Restores the text and keywords that a chunk had before it was edited.',
    setStatus: 'Activates or deactivates a chunk. Searches find only active ones.',
    setStatusMany: 'Activates or deactivates chunks, all of them or none.',
    deleteMany: 'Deletes chunks, all of them or none.',
  },
  files: {
    upload: 'Uploads a `Blob`, `File` or stream as octets. Pass the id to `documents.create`.',
    discard: 'Deletes an uploaded file that no document uses.',
  },
  search: {
    run: 'Searches like `chunks.search`, and also returns how it found each result.',
    token:
      'Creates a token with which a front end searches in Meilisearch itself for five minutes, within what the key reaches. Text that is deleted meanwhile may be found for up to six minutes.',
    status: 'Returns the health of the search engines and the lag of the index.',
    settings: 'Compares the settings of the index with those that Lectern needs.',
    tasks: 'Lists tasks of the search server.',
    verify: 'Compares all chunks with the index. This is slow.',
    repair: 'Compares all chunks with the index, and indexes those that differ.',
    explain: 'Explains why a search finds or does not find a chunk.',
    synonyms: 'Lists the synonyms of a unit, oldest first.',
    saveSynonyms:
      'Adds synonyms to a unit, or replaces some. They hold for searches that begin after the answer.',
    removeSynonyms: 'Removes synonyms.',
    exportSynonyms: 'Returns the synonyms of a unit as text, in the format of Solr and Lucene.',
    importSynonyms:
      'Imports synonyms from text in the format of Solr and Lucene: all lines or none. An error names the lines that are wrong.',
  },
  evaluations: {
    list: 'Lists the collections of judged questions of a unit.',
    questions: 'Lists the questions of a collection.',
    saveQuestion: 'Adds a question to a collection, or replaces its judgements.',
    addFromMessage:
      'Adds what the user had asked before an answer to a collection, with the chunks that a search should find. Also needs `conversations:read`.',
    removeQuestion: 'Removes a question from a collection.',
    run: 'Evaluates the search with the questions of a collection.',
    runs: 'Lists the evaluations of a collection.',
  },
  audit: { list: 'Lists the events of the audit log, newest first.' },
  apiKeys: {
    create: 'Creates an API key. The key itself is returned only here.',
    list: 'Lists API keys, newest first unless `order` says otherwise.',
    rotate: 'Replaces an API key with a new one that has the same restrictions and permissions.',
    revoke: 'Revokes an API key at once.',
  },
  session: {
    create: 'Creates a session for the API key of the request, as a cookie.',
    get: 'Returns the caller, when the session ends, and facts about the server.',
    delete: 'Ends the session, and returns where to sign out at the provider.',
  },
  reach: {
    tenants: 'Suggests tenants that the caller can access.',
    units: 'Suggests units of a tenant that the caller can access.',
    datasets: 'Suggests datasets of a tenant that the caller can access.',
    unitDatasets: 'Lists the datasets of each unit that have documents, within what the caller can access.',
  },
  overview: {
    get: 'Returns how much a tenant has.',
    attention:
      'Returns what needs attention: failed documents by reason, warnings, conversations that wait, webhooks that fail, keys that expire and what is behind in the search.',
    usage: 'Returns how much of its quotas a tenant uses.',
    rates: 'Returns the numbers of processed documents and answered searches over time.',
    conversations:
      'Returns by day and agent how many conversations, messages, tokens and verdicts there were, and how long first answers took. Also returns how many conversations have each status now.',
    queue: 'Returns the documents that wait to be processed.',
    limits: 'Returns what is left of the rate limits of the caller.',
  },
  webhooks: {
    create: 'Creates a webhook. The secret is returned only here.',
    list: 'Lists webhooks.',
    get: 'Returns a webhook.',
    update: 'Changes a webhook.',
    rotateSecret: 'Replaces the secret of a webhook. For some time, both secrets sign.',
    resume: 'Ends the pause of a webhook.',
    delete: 'Deletes a webhook with its deliveries.',
    deliveries: 'Lists the deliveries of a webhook, newest first.',
    replay: 'Sends a delivery again, or all deliveries that failed since a given time.',
    test: 'Sends a `webhook.test` event, whatever events the webhook subscribes to.',
  },
  retention: {
    list: 'Lists the retention rules of a tenant.',
    preview:
      'Returns how many conversations a retention rule would delete now, of the oldest 10,000 that it may concern.',
    create:
      'Creates a retention rule, by which conversations are deleted some days after their last message. Not with a key that is restricted to units.',
    update: 'Changes a retention rule. Not with a key that is restricted to units.',
    delete: 'Deletes a retention rule. Not with a key that is restricted to units.',
  },
  users: {
    erase:
      'Begins to erase everything of a user, in the background. Not with a key that is restricted to units.',
    erasure: 'Returns an erasure and what it has removed so far.',
    erasures: 'Lists the erasures of a tenant, newest first.',
  },
  members: {
    roles: 'Returns the permissions of each role.',
    list: 'Lists the users who have signed in by a token, newest first unless `order` says otherwise. Not with a key that is restricted to units, which holds for the next three as well.',
    get: 'Returns a member.',
    setRole:
      'Gives a member a role, for all of the tenant or for some units and datasets, or takes it away with null. The caller needs each permission of the role. The last admin stays one.',
    remove: 'Forgets a member and its role. The last admin cannot be removed.',
  },
};

export const procedureSentences: Record<string, Record<string, string>> = sentences;
