import { Histogram, type Registry } from 'prom-client';

/** Seconds. */
const BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];

export function createDeliveryMetrics(registry: Registry) {
  const duration = new Histogram({
    name: 'lectern_webhook_delivery_duration_seconds',
    help: 'Attempts to deliver an event, by outcome (delivered, failed), and how long they took.',
    labelNames: ['outcome'] as const,
    buckets: BUCKETS,
    registers: [registry],
  });
  return {
    observe: (outcome: 'delivered' | 'failed', seconds: number) => duration.observe({ outcome }, seconds),
  };
}

export type ObserveDelivery = ReturnType<typeof createDeliveryMetrics>['observe'];
