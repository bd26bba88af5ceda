import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

/** Addresses may hold passwords, with or without what makes them readable as addresses; keys and headers are secrets. Issuers are too long. */
const NOT_SHOWN = /URL|ENDPOINT|API_KEY|ADMIN_KEY|HEADERS|ISSUERS/;

const choices = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/**
 * What is wrong with a variable, as a line for people.
 *
 * @param value is shown where it cannot be a secret
 */
export function describeIssue(issue: Issue, value: string | undefined): string {
  const variable = String(issue.path[0]);
  const shown = NOT_SHOWN.test(variable) ? '' : ` (is ${JSON.stringify(value)})`;
  return `${variable}: ${sentenceOf(issue)}${shown}`;
}

function sentenceOf(issue: Issue): string {
  if (issue.code === 'invalid_type') {
    return issue.expected === 'int' ? 'must be a whole number' : `must be a ${issue.expected}`;
  }
  if (issue.code === 'too_small') return `must be ${unitOf(issue.origin, 'at least', issue.minimum)}`;
  if (issue.code === 'too_big') return `must be ${unitOf(issue.origin, 'at most', issue.maximum)}`;
  if (issue.code === 'invalid_value') return `must be ${choices.format(issue.values.map(String))}`;
  return issue.message;
}

const unitOf = (origin: string, bound: string, limit: number | bigint): string =>
  `${bound} ${limit}${origin === 'string' ? ' characters long' : ''}`;
