import type { ApiError } from './errors.js';
import { NotImplementedError } from './errors.js';
import type { Faults } from './faults.js';
import type { Access } from './keys.js';

type Details = Record<string, unknown>;

export interface Task {
  uid: number;
  batchUid: number | null;
  indexUid: string | null;
  status: 'enqueued' | 'processing' | 'succeeded' | 'failed' | 'canceled';
  type: string;
  canceledBy: number | null;
  details: Details;
  error: ApiError | null;
  duration: string | null;
  enqueuedAt: string;
  startedAt: string | null;
  finishedAt: string | null;
}

/** What a task does when its turn comes. */
export interface Job {
  type: string;
  indexUid: string | null;
  details: Details;
  /** The details that change when it fails or is canceled. */
  withoutEffect?: Details;
  documentIds?: string[];
  /** Gives the details that change when it succeeds. */
  run: (task: Task) => Details;
}

export type Tasks = ReturnType<typeof createTasks>;

const isOpen = ({ status }: Task) => status === 'enqueued' || status === 'processing';

/** The queue: one task at a time, in their order, except that cancelations come first. */
export function createTasks(faults: Faults) {
  const all: Task[] = [];
  const jobs = new Map<number, Job>();
  let timer: NodeJS.Timeout | undefined;
  let batches = 0;
  let isRunning = true;

  function wake(): void {
    if (isRunning) timer ??= setTimeout(step, faults.taskDelayMs);
  }

  /** Begins the next task, or ends the one that has begun. */
  function step(): void {
    timer = undefined;
    const cancelation = all.find((task) => isOpen(task) && task.type === 'taskCancelation');
    const task = cancelation ?? (faults.areTasksHeld ? undefined : all.find(isOpen));
    if (!task) return;
    if (task.status === 'enqueued') begin(task);
    else if (faults.isDiskFull) return;
    else end(task);
    wake();
  }

  function begin(task: Task): void {
    Object.assign(task, { status: 'processing', batchUid: batches++, startedAt: new Date().toISOString() });
  }

  function end(task: Task): void {
    const job = jobs.get(task.uid)!;
    try {
      const error = faults.errorOf(job);
      if (error) throw error;
      close(task, 'succeeded', job.run(task));
    } catch (error) {
      close(task, 'failed', job.withoutEffect);
      task.error = error as ApiError;
    }
  }

  function close(task: Task, status: Task['status'], details: Details = {}): void {
    task.startedAt ??= new Date().toISOString();
    const finishedAt = new Date();
    const seconds = (finishedAt.getTime() - Date.parse(task.startedAt)) / 1000;
    Object.assign(task, { status, finishedAt: finishedAt.toISOString(), duration: `PT${seconds}S` });
    Object.assign(task.details, details);
    task.batchUid ??= batches++;
    jobs.delete(task.uid);
  }

  function enqueue(job: Job) {
    const { type, indexUid, details } = job;
    const task: Task = {
      ...{ uid: all.length, batchUid: null, indexUid, status: 'enqueued', type, canceledBy: null },
      ...{ details: { ...details }, error: null, duration: null },
      ...{ enqueuedAt: new Date().toISOString(), startedAt: null, finishedAt: null },
    };
    all.push(task);
    jobs.set(task.uid, job);
    wake();
    return { taskUid: task.uid, indexUid, status: task.status, type, enqueuedAt: task.enqueuedAt };
  }

  /** Those that match the filters of a query. */
  function select(query: URLSearchParams): Task[] {
    const isIn = (name: string, value: string | number | null) => {
      const list = query.get(name);
      return list === null || list === '*' || list.split(',').includes(String(value));
    };
    return all.filter(
      ({ uid, indexUid, status, type }) =>
        isIn('uids', uid) && isIn('indexUids', indexUid) && isIn('statuses', status) && isIn('types', type),
    );
  }

  const mayBeSeen = (access: Access) => (task: Task) =>
    access.indexes.includes('*') || (task.indexUid !== null && access.reaches(task.indexUid));

  return {
    wake,
    enqueue,
    all: all as readonly Task[],
    find: (uid: number, access: Access) => all.slice(uid, uid + 1).find(mayBeSeen(access)),

    /** A page of tasks. As in the real server, tasks that the key does not reach take room on it, and are counted. */
    list(query: URLSearchParams, access: Access) {
      const [limit, from] = [readNumber(query, 'limit') ?? 20, readNumber(query, 'from')];
      const isReversed = query.get('reverse') === 'true';
      const matching = select(query);
      const ordered = isReversed ? matching : matching.toReversed();
      const isBeyond = ({ uid }: Task) => from === undefined || (isReversed ? uid >= from : uid <= from);
      const results = ordered
        .filter(isBeyond)
        .slice(0, limit + 1)
        .filter(mayBeSeen(access));
      const next = results.length > limit ? results.pop()!.uid : null;
      return { results, total: matching.length, limit, from: results[0]?.uid ?? null, next };
    },

    cancel(query: URLSearchParams, access: Access) {
      const matching = select(query).filter(mayBeSeen(access));
      return enqueue({
        type: 'taskCancelation',
        indexUid: null,
        details: {
          ...{ matchedTasks: matching.length, canceledTasks: null },
          originalFilter: `?${decodeURIComponent(query.toString())}`,
        },
        run: ({ uid }) => {
          const open = matching.filter(isOpen);
          for (const task of open) {
            close(task, 'canceled', jobs.get(task.uid)?.withoutEffect);
            task.canceledBy = uid;
          }
          return { canceledTasks: open.length };
        },
      });
    },

    /** Finished tasks follow the indexes they were for. */
    rename(before: number, names: Map<string, string>): void {
      for (const task of all.slice(0, before))
        task.indexUid = names.get(task.indexUid ?? '') ?? task.indexUid;
    },

    /** What was being processed is begun again after a restart. */
    pause(): void {
      isRunning = false;
      clearTimeout(timer);
      timer = undefined;
      const begun = all.find(({ status }) => status === 'processing');
      if (begun) Object.assign(begun, { status: 'enqueued', batchUid: null, startedAt: null });
    },
    resume(): void {
      isRunning = true;
      wake();
    },
  };
}

function readNumber(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text !== null && !/^\d+$/.test(text)) throw new NotImplementedError(`\`${name}=${text}\``);
  return text === null ? undefined : Number(text);
}
