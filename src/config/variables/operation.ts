import { z } from 'zod';
import { type LogLevels, logAreas, logLevelNames, parseLogLevels } from '../../logging/areas.js';
import { group } from './group.js';
import { days, port, seconds } from './shapes.js';

/** Log, metrics, webhooks, retention and shutdown. */
export const operation = group({
  title: 'Operation',
  note: 'After SIGTERM, /readyz answers 503 at once, and the process starts no further document. It accepts requests during the delay. After the delay, requests have a third of the timeout to finish. Work that has not finished after the timeout is cut off, and another process does it again: no acknowledged change is lost.',
  variables: {
    LOG_LEVEL: z
      .string()
      .default('info')
      .transform((text) => parseLogLevels(text) as LogLevels)
      .refine(
        (levels) => levels !== undefined,
        `must be ${logLevelNames.join(', ')}; after it, with commas between them, levels of ${logAreas.join(', ')}, as in info,requests=warn`,
      )
      .describe('Requests are logged at level info; health checks and metrics at level debug.'),
    METRICS_PORT: port.optional().meta({
      description: 'A port for GET /metrics only, without authentication.',
      fallback: 'metrics are on PORT, for keys with the permission operations',
      examples: ['9464'],
    }),
    METRICS_HOST: z
      .string()
      .min(1)
      .optional()
      .meta({ description: 'Address of METRICS_PORT.', fallback: 'HOST', examples: ['127.0.0.1'] }),
    CONVERSATION_IDLE_MINUTES: z.coerce
      .number()
      .int()
      .min(1)
      .max(43_200)
      .default(30)
      .describe('After how long without a message the webhook event `conversation.idle` is sent.'),
    RETENTION_DELIVERIES_DAYS: days
      .default(30)
      .describe('How long webhook deliveries are kept, delivered or not.'),
    RETENTION_AUDIT_DAYS: days.optional().meta({
      description:
        'How long events of the audit log are kept; whole months are dropped. To keep them elsewhere, use `lectern audit archive`.',
      fallback: 'forever',
      examples: ['400'],
    }),
    RETENTION_INTERVAL_MINUTES: z.coerce
      .number()
      .int()
      .min(1)
      .max(1_440)
      .default(60)
      .describe('How often expired rows and files are deleted.'),
    SHUTDOWN_DELAY_SECONDS: z.coerce
      .number()
      .int()
      .min(0)
      .max(300)
      .default(0)
      .describe('How long requests are accepted after SIGTERM, until load balancers have noticed.'),
    SHUTDOWN_TIMEOUT_SECONDS: seconds.default(30).describe('How long shutdown may take after the delay.'),
  },
});
