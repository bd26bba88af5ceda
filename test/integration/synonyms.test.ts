import { beforeEach, describe, expect, test } from 'vitest';
import { useApp } from '../support/app.js';
import { TIME, UUID } from './support/rest-client.js';

const app = useApp({ authMode: 'required' });

const TEXTS: [name: string, datasetId: string, text: string][] = [
  ['Infarction', 'clinic', 'A myocardial infarction is treated within the hour.'],
  ['Attack', 'clinic', 'A heart attack is treated in the ward.'],
  ['Vehicle', 'garage', 'Every vehicle is washed on Mondays.'],
  ['Insurance', 'garage', 'Insurance covers damage by hail.'],
  ['Both', 'garage', 'The insurance of a vehicle ends in May.'],
  ['笔记本', 'shop', '笔记本电脑保修两年。'],
  ['Board', 'board', 'The vehicle of the chairman is grey.'],
];

/** A unit of its own for each test. */
let scope: { tenantId: string; tenantUnitId: string };
let keyId: string;
let caller: ReturnType<typeof app.trpc>;
let units = 0;

const callerWith = async (fields: object = {}) => {
  const { id, key } = await app.makeKey({ scope, ...fields });
  return { id, caller: app.trpc({ 'x-api-key': key }) };
};

beforeEach(async () => {
  scope = { tenantId: 'acme', tenantUnitId: `unit-${units++}` };
  ({ id: keyId, caller } = await callerWith());
  await fill(caller);
});

async function fill(writer: typeof caller, place = scope): Promise<void> {
  for (const [documentName, datasetId, documentContent] of TEXTS) {
    const documentType = 'UnstructuredFile' as const;
    const document = { scope: place, documentType, documentName, documentContent, datasetIds: [datasetId] };
    await writer.documents.create.mutate(document);
  }
  await app.settle();
}

const save = (terms: string[], fields: object = {}, by = caller) =>
  by.search.saveSynonyms.mutate({ scope, terms, ...fields });

/** What a question finds, best first, and what it was also searched as. */
async function ask(query: string, fields: object = {}, by = caller) {
  const datasetIds = ['clinic', 'garage', 'shop'];
  const { hits, synonyms, corrections } = await by.search.run.query({ scope, datasetIds, query, ...fields });
  return {
    names: hits.map(({ documentName }) => documentName),
    synonyms: synonyms.map(({ word, instead }) => [word, ...instead]),
    corrections,
    scores: hits.map(({ score }) => score),
  };
}
const found = async (query: string, fields: object = {}, by = caller) => (await ask(query, fields, by)).names;

const errorOf = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    ({ data }) => ({ status: data.httpStatus, detail: data.detail }),
  );

const page = { page: 1, pageSize: 50, totalPages: 1, hasNextPage: false };

describe('rules', () => {
  test('are saved, listed, replaced and removed, with who and when', async () => {
    const saved = await save(['car', ' vehicle '], { datasetIds: ['garage', 'garage', 'fleet'] });
    const record = {
      id: UUID,
      datasetIds: ['fleet', 'garage'],
      terms: ['car', 'vehicle'],
      replacements: null,
      createdTime: TIME,
      createdBy: keyId,
      updatedTime: TIME,
      updatedBy: keyId,
    };
    expect(saved).toEqual(record);
    expect(await caller.search.synonyms.query({ scope })).toEqual({ ...page, items: [saved], totalCount: 1 });

    const { id: otherId, caller: other } = await callerWith();
    const replaced = await save(['tv'], { synonymsId: saved.id, replacements: ['television'] }, other);
    const { id, createdTime } = saved;
    expect(replaced).toEqual({
      ...record,
      ...{ id, createdTime, updatedBy: otherId, datasetIds: null },
      ...{ terms: ['tv'], replacements: ['television'] },
    });
    await caller.search.removeSynonyms.mutate({ scope, synonymsId: id });
    expect(await caller.search.synonyms.query({ scope })).toMatchObject({ items: [], totalCount: 0 });
    expect(await errorOf(caller.search.removeSynonyms.mutate({ scope, synonymsId: id }))).toEqual({
      status: 404,
      detail: [{ type: 'not_found', loc: ['synonymsId'], msg: 'Synonyms not found.' }],
    });
  });

  test('are audited before and after', async () => {
    const { id } = await save(['car', 'vehicle']);
    await save(['car', 'auto'], { synonymsId: id, datasetIds: ['garage'] });
    await caller.search.removeSynonyms.mutate({ scope, synonymsId: id });
    const { items } = await caller.audit.list
      .query({ scope, subjectId: id })
      .catch(async () =>
        (await callerWith({ scopes: ['operations'] })).caller.audit.list.query({ scope, subjectId: id }),
      );
    const [first, second] = [
      { terms: ['car', 'vehicle'], replacements: null, datasetIds: null },
      { terms: ['car', 'auto'], replacements: null, datasetIds: ['garage'] },
    ];
    expect(
      items.map(({ action, subjectType, before, after }) => ({ action, subjectType, before, after })),
    ).toEqual([
      { action: 'search.removeSynonyms', subjectType: 'synonyms', before: second, after: null },
      { action: 'search.saveSynonyms', subjectType: 'synonyms', before: first, after: second },
      { action: 'search.saveSynonyms', subjectType: 'synonyms', before: null, after: first },
    ]);
  });

  test.each([
    ['one term without a replacement', { terms: ['car'] }, 'terms'],
    ['a term of six words', { terms: ['a b c d e f', 'g'] }, 'terms.0'],
    ['a term without a letter', { terms: ['car', '--'] }, 'terms.1'],
    ['a term of 101 characters', { terms: ['car', 'x'.repeat(101)] }, 'terms.1'],
    ['21 terms', { terms: Array.from({ length: 21 }, (_, i) => `t${i}`) }, 'terms'],
    [
      '21 terms on both sides',
      { terms: ['a'], replacements: Array.from({ length: 20 }, (_, i) => `t${i}`) },
      'terms',
    ],
    ['no dataset', { terms: ['a', 'b'], datasetIds: [] }, 'datasetIds'],
  ])('are bounded: %s', async (_name, fields, loc) => {
    const error = await errorOf(caller.search.saveSynonyms.mutate({ scope, ...fields }));
    expect(error).toMatchObject({ status: 422 });
    expect(error?.detail.map((one: { loc: unknown[] }) => one.loc.join('.'))).toEqual([loc]);
  });

  test('are saved once', async () => {
    const first = await save(['car', 'vehicle']);
    const other = await save(['car', 'vehicle'], { datasetIds: ['garage'] });
    const twice = {
      status: 409,
      detail: [{ type: 'conflict', loc: ['terms'], msg: 'This synonym rule exists already.' }],
    };
    expect(await errorOf(save(['car', 'vehicle']))).toEqual(twice);
    expect(await errorOf(save(['car', 'vehicle'], { synonymsId: other.id }))).toEqual(twice);
    expect(await save(['car', 'vehicle'], { synonymsId: first.id })).toMatchObject({ id: first.id });
    expect((await caller.search.synonyms.query({ scope })).totalCount).toBe(2);
  });

  test('are at most 1,000 in a unit', async () => {
    const text = Array.from({ length: 1_000 }, (_, i) => `a${i}, b${i}`).join('\n');
    expect(await caller.search.importSynonyms.mutate({ scope, text })).toMatchObject({ added: 1_000 });
    const tooMany = {
      status: 409,
      detail: [
        { type: 'conflict', loc: [], msg: 'A unit has at most 1000 synonym rules; remove some first.' },
      ],
    };
    expect(await errorOf(save(['one', 'more']))).toEqual(tooMany);
    expect(await errorOf(caller.search.importSynonyms.mutate({ scope, text: 'one, more' }))).toEqual(tooMany);
    expect((await caller.search.synonyms.query({ scope, pageSize: 1 })).totalCount).toBe(1_000);
    expect((await ask('a7 insurance')).synonyms).toEqual([['a7', 'b7']]);
  });
});

describe('a text', () => {
  const load = (text: string, fields: object = {}, by = caller) =>
    by.search.importSynonyms.mutate({ scope, text, ...fields });
  const exported = async (by = caller) => (await by.search.exportSynonyms.query({ scope })).text;

  test('is imported and exported in the format of Solr and Lucene', async () => {
    const text = [
      'car, motor car, vehicle',
      'tv, telly => television',
      'C\\#, c sharp',
      '\\=> , a\\, b => 箭头',
      '# datasets: ["clinic","ward"]',
      'heart attack, myocardial infarction',
      '',
    ].join('\n');
    const received = `# our words\r\n\r\n${text.replaceAll('\n', '\r\n')}`;
    expect(await errorOf(load(received))).toMatchObject({ status: 422 });
    const right = text.replace('\\=> , ', '');
    expect(await load(right)).toEqual({ added: 5, removed: 0, unchanged: 0 });
    expect(await exported()).toBe(right);
    expect(await load(right, { mode: 'replace' })).toEqual({ added: 0, removed: 0, unchanged: 5 });
    const { items } = await caller.search.synonyms.query({ scope });
    expect(items.map(({ terms, replacements, datasetIds }) => [terms, replacements, datasetIds])).toEqual(
      expect.arrayContaining([
        [['tv', 'telly'], ['television'], null],
        [['C#', 'c sharp'], null, null],
        [['a, b'], ['箭头'], null],
        [['heart attack', 'myocardial infarction'], null, ['clinic', 'ward']],
      ]),
    );
  });

  test('adds to what is there, or takes its place', async () => {
    await load('a, b\nc, d');
    const kept = (await caller.search.synonyms.query({ scope })).items.find(({ terms }) => terms[0] === 'a');
    expect(await load('a, b\ne, f')).toEqual({ added: 1, removed: 0, unchanged: 1 });
    expect(await load('e, f\na, b\ng, h\ng, h', { mode: 'replace' })).toEqual({
      added: 1,
      removed: 1,
      unchanged: 2,
    });
    const { items } = await caller.search.synonyms.query({ scope });
    expect(items.map(({ terms }) => terms[0])).toEqual(['a', 'e', 'g']);
    expect(items[0]).toEqual(kept);
    expect(await load('x, y', { mode: 'replace', datasetIds: ['garage'] })).toMatchObject({ removed: 3 });
    expect(await exported()).toBe('# datasets: ["garage"]\nx, y\n');
  });

  test.each([
    ['too many rules', 'a, b\n'.repeat(1_002), 'There are more than 1000 rules or 10000 lines.'],
    ['too many lines', '\n'.repeat(10_001), 'There are more than 1000 rules or 10000 lines.'],
    ['a line that is too long', `a, ${'=>'.repeat(10_000)}`, 'Line 1: it is too long.'],
  ])('with %s is refused', async (_name, text, msg) => {
    expect(await errorOf(load(`${text}c`))).toMatchObject({ status: 422, detail: [{ loc: ['text'], msg }] });
    expect(await exported()).toBe('');
  });

  test('finds a phrase that many rules have, once, and no more than 64 alternatives', async () => {
    await load(Array.from({ length: 900 }, (_, i) => `a, a., a!, a? => w${i}, v${i}`).join('\n'));
    const { synonyms } = await ask('a '.repeat(1_400));
    expect(synonyms).toHaveLength(1);
    expect(synonyms[0]).toHaveLength(65);
  });

  test('with mistakes changes nothing, and they are named by their lines', async () => {
    await load('a, b');
    const text = [
      'c, d',
      'alone',
      '',
      'x => y => z',
      ', q',
      '# datasets: faq',
      'one two three four five six, s',
    ];
    expect(await errorOf(load(text.join('\n'), { mode: 'replace' }))).toEqual({
      status: 422,
      detail: [
        {
          type: 'value_error',
          loc: ['text'],
          msg: [
            'Line 2: the terms must be at least two, or say what else to search.',
            'Line 4: there must be one => at most.',
            'Line 5: a term is missing.',
            'Line 6: datasets must be all, or a list such as ["faq", "shop"].',
            'Line 7: "one two three four five six" must have at most 5 words.',
          ].join('\n'),
        },
      ],
    });
    expect(await exported()).toBe('a, b\n');
  });

  test('of a key that is restricted to datasets is for these', async () => {
    await load('a, b\n# datasets: ["garage"]\nc, d\n# datasets: ["garage","clinic"]\ne, f');
    const { caller: restricted } = await callerWith({
      scopes: ['search', 'documents:write'],
      datasetIds: ['garage', 'shop'],
    });
    expect(await exported(restricted)).toBe('# datasets: ["garage"]\nc, d\n');
    expect(await load('g, h\n# datasets: all\ni, j', { mode: 'replace' }, restricted)).toEqual({
      added: 2,
      removed: 1,
      unchanged: 0,
    });
    expect(await exported(restricted)).toBe('# datasets: ["garage","shop"]\ng, h\ni, j\n');
    const beyond = await errorOf(load('g, h\n# datasets: ["clinic"]\nk, l', {}, restricted));
    expect(beyond).toEqual({
      status: 403,
      detail: [
        { type: 'forbidden', loc: ['text'], msg: 'Line 3: this API key has no access to dataset clinic.' },
      ],
    });
    const { items } = await caller.search.synonyms.query({ scope });
    const ofAll = items.find(({ terms }) => terms[0] === 'a')?.id as string;
    expect(await errorOf(save(['x', 'y'], { synonymsId: ofAll }, restricted))).toMatchObject({ status: 404 });
    expect(await exported()).toBe(
      'a, b\n# datasets: ["clinic","garage"]\ne, f\n# datasets: ["garage","shop"]\ng, h\ni, j\n',
    );
  });
});

describe('a question', () => {
  test('is also searched as its synonyms, below what it says itself', async () => {
    expect(await found('car')).toEqual([]);
    await save(['car', 'vehicle']);
    expect(await ask('cars?')).toMatchObject({
      names: ['Vehicle', 'Both'],
      synonyms: [['car', 'vehicle']],
      corrections: [],
    });
    expect(await ask('the vehicle')).toMatchObject({
      names: ['Vehicle', 'Both'],
      synonyms: [['vehicle', 'car']],
    });
    await save(['hail', 'damage', 'may']);
    const { names } = await ask('hail');
    expect(names).toEqual(['Insurance', 'Both']);
  });

  test('of one direction is not searched in the other', async () => {
    await save(['car'], { replacements: ['vehicle', 'hail'] });
    expect(await found('car')).toEqual(expect.arrayContaining(['Vehicle', 'Both', 'Insurance']));
    expect(await ask('hail')).toMatchObject({ names: ['Insurance'], synonyms: [] });
  });

  test('finds several words for several others, the longest phrase first', async () => {
    await save(['heart attack', 'myocardial infarction']);
    await save(['attack'], { replacements: ['hail'] });
    const { names, synonyms } = await ask('the heart attack');
    expect(names.sort()).toEqual(['Attack', 'Infarction']);
    expect(synonyms).toEqual([['heart attack', 'myocardial infarction']]);
    expect((await ask('attack')).synonyms).toEqual([['attack', 'hail']]);
    const { names: best } = await ask('Myocardial infarctions');
    expect(best).toEqual(['Infarction', 'Attack']);
  });

  test('counts a phrase once, however many synonyms it has', async () => {
    const before = await ask('vehicle insurance');
    await save(['vehicle', 'car', 'washed', 'Mondays', 'every']);
    const after = await ask('vehicle insurance');
    expect(before.names[0]).toBe('Both');
    expect(after.names[0]).toBe('Both');
    expect(after.scores[0]).toBeCloseTo(before.scores[0] as number, 6);
  });

  test('in Chinese finds terms anywhere in the text', async () => {
    await save(['手提电脑', '笔记本电脑', 'laptop']);
    expect(await ask('我的手提電腦保修多久？', { language: 'chinese' })).toMatchObject({
      names: ['笔记本'],
      synonyms: [['手提电脑', '笔记本电脑', 'laptop']],
    });
    expect(await found('laptop')).toEqual(['笔记本']);
    expect(await found('laptop', { synonyms: false })).toEqual([]);
  });

  test('uses a rule in its datasets only', async () => {
    await save(['car', 'vehicle'], { datasetIds: ['board'] });
    expect(await ask('car')).toMatchObject({ names: [], synonyms: [] });
    expect(await found('car', { datasetIds: ['board', 'garage', 'clinic'] })).toEqual(['Board']);
    await expect
      .poll(
        async () =>
          (await caller.search.run.query({ scope, datasetIds: ['board'], query: 'car' })).hits.length,
      )
      .toBe(1);
  });

  test('uses the rules of its unit and tenant only', async () => {
    await save(['car', 'vehicle']);
    const elsewhere = { ...scope, tenantUnitId: `${scope.tenantUnitId}-b` };
    const { caller: wide } = await callerWith({ scope: { tenantId: 'acme' } });
    await fill(wide, elsewhere);
    expect(await found('car', { scope: elsewhere }, wide)).toEqual([]);
    const both = { ...scope, tenantUnitId: [scope.tenantUnitId, elsewhere.tenantUnitId] };
    const { hits } = await wide.search.run.query({ scope: both, datasetIds: ['garage'], query: 'car' });
    expect(hits.map(({ tenantUnitId }) => tenantUnitId)).toEqual([scope.tenantUnitId, scope.tenantUnitId]);
    const other = { ...scope, tenantId: 'other' };
    const { caller: theirs } = await callerWith({ scope: other });
    await fill(theirs, other);
    expect(await found('car', { scope: other }, theirs)).toEqual([]);
  });

  test('in quotation marks, or without synonyms, is searched as it is', async () => {
    await save(['car', 'vehicle']);
    expect(await ask('"car" wheels')).toMatchObject({ names: [], synonyms: [] });
    expect(await ask('car', { synonyms: false })).toMatchObject({ names: [], synonyms: [] });
  });

  test('is searched as before as soon as the rule is removed or changed', async () => {
    const { id } = await save(['car', 'vehicle']);
    expect(await found('car')).toHaveLength(2);
    await save(['car', 'hail'], { synonymsId: id });
    expect(await found('car')).toEqual(['Insurance']);
    await caller.search.removeSynonyms.mutate({ scope, synonymsId: id });
    expect(await found('car')).toEqual([]);
  });

  test('is marked where its synonyms are, and through REST finds the same', async () => {
    await save(['car', 'vehicle']);
    const { hits } = await caller.search.run.query({ scope, datasetIds: ['garage'], query: 'car' });
    const [{ content, marks }] = hits as [(typeof hits)[number]];
    expect(marks.map(([start, end]) => content.slice(start, end))).toEqual(['vehicle']);
    const same = await caller.chunks.search.query({ scope, datasetIds: ['garage'], query: 'car' });
    expect(same.map(({ id }) => id)).toEqual(hits.map(({ id }) => id));
  });

  test('with a mistyped word beside a synonym finds both', async () => {
    await save(['car', 'vehicle']);
    expect(await ask('car insurnace')).toMatchObject({
      synonyms: [['car', 'vehicle']],
      corrections: [{ word: 'insurnace', instead: ['insurance'] }],
      names: expect.arrayContaining(['Both', 'Vehicle', 'Insurance']),
    });
  });
});

test('an evaluation tells what synonyms change', async () => {
  const { items } = await caller.documents.list.query({ scope, pageSize: 50 });
  const documentId = items.find(({ documentName }) => documentName === 'Vehicle')?.id as string;
  const chunks = await caller.chunks.list.query({ scope, documentId });
  const judged = { scope, collection: 'cars' };
  const expected = [{ documentId, chunkId: chunks.items[0]?.id as string }];
  await caller.evaluations.saveQuestion.mutate({ ...judged, query: 'car', datasetIds: ['garage'], expected });
  await save(['car', 'vehicle']);
  const run = (fields: object = {}) => caller.evaluations.run.mutate({ ...judged, ...fields });
  expect(await run({ synonyms: false })).toMatchObject({ synonyms: false, ndcgAt10: 0, recallAt5: 0 });
  expect(await run()).toMatchObject({ synonyms: true, ndcgAt10: 1, recallAt5: 1 });
  const runs = await caller.evaluations.runs.query(judged);
  expect(runs.map(({ synonyms }) => synonyms)).toEqual([true, false]);
});
