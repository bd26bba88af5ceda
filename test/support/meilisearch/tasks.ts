import type { Access } from './access.js';
import type { ApiError } from './errors.js';
import type { Faults } from './faults.js';
import type { Job } from './job.js';

export interface Task {
  uid: number;
  batchUid: number | null;
  indexUid: string | null;
  status: 'enqueued' | 'processing' | 'succeeded' | 'failed';
  type: string;
  canceledBy: null;
  details: Record<string, unknown>;
  error: ApiError | null;
  duration: string | null;
  enqueuedAt: string;
  startedAt: string | null;
  finishedAt: string | null;
}

export type Tasks = ReturnType<typeof createTasks>;

const isOpen = ({ status }: Task) => status === 'enqueued' || status === 'processing';

/** The queue: one task at a time, in order. */
export function createTasks(faults: Faults) {
  const all: Task[] = [];
  const jobs = new Map<number, Job>();
  let timer: NodeJS.Timeout | undefined;
  let isRunning = true;

  function wake(): void {
    if (isRunning) timer ??= setTimeout(step);
  }

  /** Begins the next task, or ends the one that has begun. */
  function step(): void {
    timer = undefined;
    const task = faults.areTasksHeld ? undefined : all.find(isOpen);
    if (!task) return;
    if (task.status === 'enqueued') begin(task);
    else if (faults.isDiskFull) return;
    else end(task);
    wake();
  }

  function begin(task: Task): void {
    Object.assign(task, { status: 'processing', batchUid: task.uid, startedAt: new Date().toISOString() });
  }

  function end(task: Task): void {
    const job = jobs.get(task.uid)!;
    jobs.delete(task.uid);
    try {
      const error = faults.errorOf(job);
      if (error) throw error;
      Object.assign(task.details, job.run(task));
      task.status = 'succeeded';
    } catch (error) {
      Object.assign(task.details, job.withoutEffect);
      task.status = 'failed';
      task.error = error as ApiError;
    }
    const finishedAt = new Date();
    task.finishedAt = finishedAt.toISOString();
    task.duration = `PT${(finishedAt.getTime() - Date.parse(task.startedAt!)) / 1000}S`;
  }

  function enqueue(job: Job) {
    const { type, indexUid, details } = job;
    const task: Task = {
      uid: all.length,
      batchUid: null,
      indexUid,
      status: 'enqueued',
      type,
      canceledBy: null,
      details: { ...details },
      error: null,
      duration: null,
      enqueuedAt: new Date().toISOString(),
      startedAt: null,
      finishedAt: null,
    };
    all.push(task);
    jobs.set(task.uid, job);
    wake();
    return { taskUid: task.uid, indexUid, status: task.status, type, enqueuedAt: task.enqueuedAt };
  }

  const isVisible = (access: Access) => (task: Task) =>
    access.indexes.includes('*') || (task.indexUid !== null && access.reaches(task.indexUid));

  return {
    wake,
    enqueue,
    find: (uid: number, access: Access) => all.slice(uid, uid + 1).find(isVisible(access)),

    /** A page of tasks. As in the real server, tasks that the key does not reach take room on it, and are counted. */
    list(query: URLSearchParams, access: Access) {
      const [limit, from] = [Number(query.get('limit') ?? 20), Number(query.get('from') ?? all.length)];
      const passes = (name: string, value: string | null) =>
        query.get(name)?.split(',').includes(String(value)) ?? true;
      const matching = all.filter(
        ({ indexUid, status, type }) =>
          passes('indexUids', indexUid) && passes('statuses', status) && passes('types', type),
      );
      const results = matching
        .toReversed()
        .filter(({ uid }) => uid <= from)
        .slice(0, limit + 1)
        .filter(isVisible(access));
      const next = results.length > limit ? results.pop()!.uid : null;
      return { results, total: matching.length, limit, from: results[0]?.uid ?? null, next };
    },

    /** Everything that waits is done at once, in order. */
    finish(): void {
      for (const task of all.filter(isOpen)) {
        if (task.status === 'enqueued') begin(task);
        end(task);
      }
    },

    /** Finished tasks follow the indexes they were for. */
    rename(before: number, names: Map<string, string>): void {
      for (const task of all.slice(0, before))
        task.indexUid = names.get(task.indexUid ?? '') ?? task.indexUid;
    },

    /** After a restart the task at hand is begun again. */
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
