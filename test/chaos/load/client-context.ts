import type { Random } from '../../../bench/support/random.js';
import type { Lectern } from '../../../src/client/index.js';
import type { Model } from '../model/model.js';
import type { Consumer } from '../peers/consumer.js';
import type { PageServer } from '../peers/page-server.js';
import type { Calls } from './calls.js';
import type { FixtureTexts } from './files.js';
import type { Texts } from './texts.js';
import type { Traffic } from './traffic.js';
import type { Writes } from './write.js';

export interface ClientContext {
  name: string;
  number: number;
  tenantId: string;
  calls: Calls;
  /** For what REST has not. */
  lectern: Lectern;
  random: Random;
  model: Model;
  fixtures: FixtureTexts;
  pages: PageServer;
  consumer: Consumer;
  traffic: Traffic;
}

export type Client = ClientContext & { texts: Texts } & Writes;
