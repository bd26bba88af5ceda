import { warningMeanings } from '@lectern/file-to-markdown/warning-codes';
import { errorTypes } from '../errors/error-types.js';
import { failureCodes } from '../errors/failure-codes.js';
import { code, codeBlock, formatPage, section, table } from './markdown.js';

const EXAMPLE = {
  detail: [{ type: 'value_error.too_big', loc: ['query', 'pageSize'], msg: 'must be at most 100' }],
};

/** The page about errors of requests, failures of documents, and warnings. */
export const errorsPage = (): string =>
  formatPage({
    title: 'Errors',
    introduction:
      'Every error of the REST API has the same body: a list of what is wrong. `type` is a stable word for programs, `loc` is the place in the request, and `msg` is a sentence for people, whose wording can change. tRPC has the same list in `error.data.detail`. The header `X-Request-Id` identifies the request in the server log.',
    sections: [
      codeBlock(JSON.stringify(EXAMPLE), 'json'),
      section(
        '## Error types',
        table(
          ['Type', 'Status', 'Meaning'],
          [
            ...Object.entries(errorTypes).map(([type, { statuses, meaning }]) => [
              code(type),
              statuses.join(', '),
              meaning,
            ]),
            [
              `${code('value_error.')} and a failure code`,
              '422',
              'The source of a preview cannot be processed. [Failure codes](#failure-codes) lists the reasons.',
            ],
          ],
        ),
        'For errors that tRPC itself finds, such as an unknown procedure, `type` is the tRPC code in lower case, such as `not_found` or `bad_request`.',
      ),
      section(
        '## Failure codes',
        'A document whose processing failed has an `error` with a `code`, the `stage` in which it failed, a `message` that says what to do, and `retryable`. A failure that Lectern tries again by itself becomes final after the last attempt.',
        table(
          ['Code', 'Stage', 'Tried again', 'Meaning'],
          Object.entries(failureCodes).map(([name, { stages, retries, meaning }]) => [
            code(name),
            stages,
            retries,
            meaning,
          ]),
        ),
      ),
      section(
        '## Warning codes',
        'A document can be `ready` although parts of it were lost. Its `warnings` say which.',
        table(
          ['Code', 'What was lost'],
          Object.entries(warningMeanings).map(([name, meaning]) => [code(name), meaning]),
        ),
      ),
    ],
  });
