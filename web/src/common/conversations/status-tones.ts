import type { Outputs } from '../../api/trpc';
import type { ChartTone } from '../../ui/charts/series';

type Status = keyof NonNullable<Outputs['overview']['get']['conversations']>;

/** What has ended well comes first; what waits for somebody differs from what runs. */
export const STATUS_TONES = {
  succeeded: 'good',
  reviewed: 'good',
  'partial-succeeded': 'busy',
  running: 'accent',
  submitted: 'neutral',
  'input-required': 'busy',
  'review-requested': 'busy',
  failed: 'bad',
  stopped: 'neutral',
  canceled: 'neutral',
  unknown: 'neutral',
  none: 'neutral',
} as const satisfies Record<Status, ChartTone>;
