export { type ReadOptions, readSource, type SourceFile, type SourceRow } from './read-source.js';
