import { waitFor } from '../../support/wait-for.js';
import type { TestApp } from './rest-client.js';

type Documents = ReturnType<TestApp['trpc']>['documents'];
type Request = Parameters<Documents['sourceText']['query']>[0];

/** The text of a source, asked for again while it is being read. */
export const readSourceText = ({ sourceText }: Documents, request: Request) =>
  waitFor(
    async () => {
      const text = await sourceText.query(request);
      return text.unavailable !== 'being_read' && text;
    },
    { what: 'the text of the source to be read' },
  );
