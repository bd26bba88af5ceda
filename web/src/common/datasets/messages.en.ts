const plural = new Intl.PluralRules('en');
const of = (count: number, one: string, many: string) => (plural.select(count) === 'one' ? one : many);
const documents = (count: number) => `${count} ${of(count, 'document', 'documents')}`;

export const en = {
  cancel: 'Cancel',
  undo: 'Undo',
  noAnswer: 'The server does not answer.',
  run: {
    title: 'Change of datasets',
    move: (to: string) => `Moving documents to ${to}`,
    delete: (from: string) => `Deleting ${from}`,
    undo: 'Moving documents back',
    progress: (done: string, total: string) => `${done} of ${total}`,
    stop: 'Stop',
    stopping: 'Stopping …',
    resume: 'Go on',
    close: 'Close',
    failed: (done: string, total: string, why: string) =>
      `Interrupted after ${done} of ${total} documents: ${why}`,
  },
  done: {
    move: (count: number, to: string) => `${documents(count)} ${of(count, 'was', 'were')} moved to ${to}.`,
    delete: (count: number, from: string) =>
      `${documents(count)} of ${from} ${of(count, 'was', 'were')} deleted or taken out.`,
    undo: (count: number) => `${documents(count)} ${of(count, 'was', 'were')} moved back.`,
    stopped: 'The others were left as they are.',
  },
  pending: (dataset: string, count: number) => `${dataset} will be deleted, with ${documents(count)}.`,
  moving: {
    title: (count: number, text: string) => `Move ${text} ${of(count, 'document', 'documents')}`,
    to: 'Target dataset',
    hint: 'Choose one, or type the name of a new one and press Enter.',
    submit: 'Move',
    fromOne: (from: string) => `They leave ${from}, and stay in their other datasets.`,
    fromAll: 'They leave the datasets that they are in now.',
    unit: (unit: string) => `Only documents of the unit ${unit} are moved.`,
  },
};
