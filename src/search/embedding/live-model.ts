import type { Database } from '../../../db/schema.js';
import { type EmbeddingModel, readLiveModel } from './models.js';

/** A retired model's vectors stay for longer than that. */
const MAX_AGE_MS = 2_000;

export interface LiveModel {
  read(): Promise<EmbeddingModel | undefined>;
}

/** The live model, as it was at most two seconds ago: no search has to read it. */
export function createLiveModel(db: Database): LiveModel {
  let model: Promise<EmbeddingModel | undefined> | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  return {
    read() {
      if (model && performance.now() - readAt <= MAX_AGE_MS) {
        // What is read for a client that disconnects is cancelled.
        return model.catch(() => readLiveModel(db));
      }
      readAt = performance.now();
      model = readLiveModel(db);
      model.catch(() => {
        readAt = Number.NEGATIVE_INFINITY;
      });
      return model;
    },
  };
}
