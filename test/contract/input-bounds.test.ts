import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { appRouter } from '../../src/routers/index.js';
import {
  boundedArray,
  boundedJsonRecord,
  text,
  valueOrArray,
} from '../../src/services/shared/fields.schema.js';
import { boundsOf, inputs, issuesOf, valueBeyond } from './input-bounds.js';

/** Larger texts are not made only to see them refused. */
const LARGEST_TRIED = 1_000_000;
/** Headers together have 16 KiB, and a key is only compared. */
const UNBOUNDED = [['X-Api-Key']];

const unboundedIn = (schema: z.ZodType) =>
  boundsOf(schema)
    .filter(({ max }) => max === undefined)
    .map(({ path }) => path);

describe('every input of every operation', () => {
  test.each(inputs)('%s has a bound for each text, number, list and object', (_, schema) => {
    expect(unboundedIn(schema).filter((path) => !UNBOUNDED.some(([name]) => name === path[0]))).toEqual([]);
  });

  test.each(inputs)('%s refuses what is just beyond, and says where', (name, schema) => {
    if (name.endsWith(' headers')) return;
    for (const bound of boundsOf(schema)) {
      if ((bound.max ?? 0) > LARGEST_TRIED && bound.kind !== 'number') continue;
      const refusals = issuesOf(schema, valueBeyond(bound)).filter(({ path }) =>
        path.every((step, place) => step === bound.path[place]),
      );
      expect(
        refusals.map(({ code }) => code),
        `${bound.path.join('.')}: ${bound.kind}`,
      ).toContain(bound.kind === 'object' ? 'custom' : 'too_big');
    }
  });

  test('except files, whose bytes are counted while streaming', () => {
    const names = Object.keys(appRouter._def.procedures);
    const walked = new Set(inputs.map(([name]) => name));
    const withoutInput = [
      'search.status',
      'search.settings',
      'search.verify',
      'overview.limits',
      'session.create',
      'session.get',
      'session.delete',
      'members.roles',
    ];
    expect(names.filter((name) => !walked.has(`tRPC ${name}`)).sort()).toEqual(
      ['files.upload', ...withoutInput].sort(),
    );
  });
});

describe('inputs without bound are detected', () => {
  test.each<[string, z.ZodType, (string | number)[][]]>([
    ['a text', z.object({ a: z.string() }), [['a']]],
    ['a text behind a transformation', z.object({ a: z.string().transform(Number) }), [['a']]],
    ['a text in a list', z.object({ a: boundedArray(z.string()) }), [['a', 0]]],
    ['a list', z.object({ a: z.array(text(1)).optional() }), [['a']]],
    ['a list in a union', z.object({ a: z.union([text(1), z.array(text(1))]) }), [['a']]],
    ['a record', z.object({ a: z.record(text(1), text(1)) }), [['a']]],
    ['a number', z.object({ a: z.number().min(0).nullable() }), [['a']]],
    ['anything', z.object({ a: z.unknown() }), [['a']]],
    [
      'none of these',
      z.object({ a: text(1), b: valueOrArray(text(1)), c: boundedJsonRecord(), d: z.int() }),
      [],
    ],
  ])('%s', (_, schema, paths) => {
    expect(unboundedIn(schema)).toEqual(paths);
  });
});
