import { endWith, type Span } from '../../tracing/spans.js';
import type { Tracing } from '../../tracing/tracing.js';
import type { ClaimedJob } from './claim-job.js';

/** Traces of jobs go on with those of the requests that queued them. */
export function traceJobs(tracing: Tracing | undefined) {
  return { traceJob, traceBatch };

  function traceJob(job: ClaimedJob, work: () => Promise<void>): Promise<void> {
    return tracing ? endWith(startJob(tracing, job), work) : work();
  }

  /**
   * Several jobs together have a trace of their own; each also has a span in its request's trace, with a link to that.
   *
   * @param work is given the jobs with the `traceparent` of their own spans, for what is done for one of them
   */
  function traceBatch<T>(jobs: ClaimedJob[], work: (jobs: ClaimedJob[]) => Promise<T>): Promise<T> {
    const [job, ...others] = jobs;
    if (!tracing || !job) return work(jobs);
    if (others.length === 0) {
      const span = startJob(tracing, job);
      return endWith(span, () => work([withSpanOf(job, span)]));
    }
    const batch = tracing.startTrace('process documents', {
      kind: 'consumer',
      links: jobs.map(({ traceparent }) => traceparent),
      attributes: { 'lectern.tenant_id': job.tenantId, 'lectern.documents': jobs.length },
    });
    const traced = jobs.map((one) => ({ one, span: startJob(tracing, one, [batch.traceparent]) }));
    return endWith(batch, () => work(traced.map(({ one, span }) => withSpanOf(one, span)))).finally(() => {
      for (const { span } of traced) span.end();
    });
  }
}

const withSpanOf = (job: ClaimedJob, { traceparent }: Span): ClaimedJob => ({ ...job, traceparent });

const startJob = (tracing: Tracing, job: ClaimedJob, links: string[] = []) =>
  tracing.startTrace('process document', {
    kind: 'consumer',
    parent: job.traceparent,
    links,
    attributes: {
      'lectern.tenant_id': job.tenantId,
      'lectern.document_id': job.documentId,
      'lectern.attempts': job.attempts,
    },
  });
