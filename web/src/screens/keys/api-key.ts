import type { Outputs } from '../../api/trpc';

export type ApiKey = Outputs['apiKeys']['list']['items'][number];
