import { Histogram, type Registry } from 'prom-client';

/** Seconds. */
const BUCKETS = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60];

export interface ObservedRequest {
  method: string;
  /** As it is documented, such as `/admin/api/v1/documents/{documentId}`; `none` where nothing is there. */
  route: string;
  /** Undefined where the client left before the answer. */
  status: number | undefined;
  seconds: number;
}

export type ObserveRequest = (request: ObservedRequest) => void;

export function createRequestMetrics(registry: Registry): { observe: ObserveRequest } {
  const duration = new Histogram({
    name: 'lectern_http_request_duration_seconds',
    help: 'Requests by route, method and status, and how long they took; for streams, how long they were open.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: BUCKETS,
    registers: [registry],
  });
  return {
    observe({ method, route, status, seconds }) {
      duration.observe({ method, route, status: status ?? 'aborted' }, seconds);
    },
  };
}
