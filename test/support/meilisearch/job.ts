type Details = Record<string, unknown>;

/** The work of a task. */
export interface Job {
  type: string;
  indexUid: string | null;
  details: Details;
  /** The details that change when it fails. */
  withoutEffect?: Details;
  documentIds?: string[];
  /** Returns the details that change when it succeeds. */
  run: (task: { uid: number }) => Details;
}
