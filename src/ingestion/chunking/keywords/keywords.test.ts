import { expect, it } from 'vitest';
import { cpuTime } from '../../../../packages/file-to-markdown/test/support/cpu-time.js';
import { DocumentKeywords, extractKeywords } from './keywords.js';

const english =
  'Embedding models turn passages into vectors. The retriever compares vectors of questions with vectors of ' +
  'passages. Dense retrievers beat BM25 on open questions, while BM25 remains strong on rare names such as Karpukhin.';
const chinese =
  '知识图谱是人工智能的重要分支。知识图谱用图的结构描述实体之间的关系，区块链与知识图谱结合后，可以保证数据的可信。' +
  '构建知识图谱需要抽取实体和关系，区块链保存抽取的记录。';

it('gives words as they are written, with forms of one stem together', () => {
  expect(extractKeywords(english, 5)).toEqual({
    BM25: 1,
    vectors: 0.83,
    passages: 0.67,
    retriever: 0.67,
    Karpukhin: 0.49,
  });
});

it('puts Chinese words together that keep occurring together', () => {
  expect(extractKeywords(chinese, 5)).toEqual({
    知识图谱: 1,
    区块链: 0.71,
    实体: 0.55,
    关系: 0.55,
    抽取: 0.55,
  });
});

it('puts English words together that keep occurring together', () => {
  const text =
    'The boundary layer grows along the plate. A boundary-layer profile was taken where boundary layers separate.';
  expect(extractKeywords(text, 3)).toEqual({ 'boundary layer': 1, grows: 0.38, plate: 0.38 });
});

it('counts less what stands in most texts', () => {
  const keywords = new DocumentKeywords([
    english,
    'vectors of numbers',
    'vectors of letters',
    'vectors of words',
  ]);
  expect(Object.keys(keywords.of(english, 3))).toEqual(['BM25', 'vectors', 'passages']);
});

it('knows from the other texts which words belong together', () => {
  const keywords = new DocumentKeywords(
    Array.from({ length: 4 }, () => '有限公司的股东。The neural network learns.'),
  );
  expect(Object.keys(keywords.of('This neural network has one layer; 有限公司。', 3))).toEqual([
    'neural network',
    'layer',
    '有限公司',
  ]);
});

it('has neither grammar nor numbers nor single letters', () => {
  expect(
    extractKeywords('It was the 1st of 42 and x in 2024, 3.14, XIV; 的 和 是 我们 可以 第五十四条 三个月。'),
  ).toEqual({});
});

it('has neither markup nor addresses', () => {
  const text =
    '[Gulls](https://example.org/birds?id=7 "x") <div class="wide">nest</div> &nbsp; mail@example.org www.example.com';
  expect(Object.keys(extractKeywords(text))).toEqual(['Gulls', 'nest']);
});

it('knows short names in capitals, and names with marks in them', () => {
  expect(Object.keys(extractKeywords('The EU and AI.'))).toEqual(['EU', 'AI']);
  expect(Object.keys(extractKeywords('We used C++, C# and Node.js with GPT-4.'))).toEqual([
    'C++',
    'Node.js',
    'GPT-4',
    'C#',
  ]);
});

it('takes words of both scripts from a mixed text', () => {
  const text = '用 Kubernetes 部署知识库，Kubernetes 会重启知识库的容器。';
  expect(Object.keys(extractKeywords(text, 3))).toEqual(['知识库', 'Kubernetes', '部署']);
});

it('gives the same keywords for texts that weights were computed of and for others', () => {
  const keywords = new DocumentKeywords([english, chinese]);
  expect(keywords.of(chinese)).toEqual(keywords.of(chinese));
});

it.each([
  [
    'Die Möwe brütet an der Küste, und ich sehe, dass es dort auch nachts noch viele Nester gibt.',
    ['Möwe', 'Küste', 'Nester', 'brütet', 'sehe', 'nachts'],
  ],
  [
    'Les mouettes nichent sur la falaise, et nous avons vu que leurs nids sont cachés dans les rochers.',
    ['mouettes', 'nichent', 'falaise', 'nids', 'cachés', 'rochers'],
  ],
  [
    'Las gaviotas anidan en los acantilados, y nosotros hemos visto cuando sus nidos estaban vacíos.',
    ['gaviotas', 'anidan', 'acantilados', 'visto', 'nidos', 'vacíos'],
  ],
  [
    'I gabbiani nidificano sulle scogliere, e noi abbiamo visto che questi nidi sono nelle rocce.',
    ['gabbiani', 'nidificano', 'scogliere', 'nidi', 'rocce'],
  ],
  [
    'De meeuwen broeden op de kliffen, maar wij hebben gezien dat deze nesten niet meer worden gebruikt.',
    ['meeuwen', 'broeden', 'kliffen', 'gezien', 'nesten', 'gebruikt'],
  ],
  [
    'Mewy gniazdują na klifach, ale także widzieliśmy, że jeszcze niektóre gniazda były puste.',
    ['Mewy', 'gniazdują', 'klifach', 'widzieliśmy', 'niektóre', 'gniazda', 'puste'],
  ],
  [
    'Чайки гнездятся на скалах, но мы также видели, что эти гнёзда были пустыми после шторма.',
    ['Чайки', 'гнездятся', 'скалах', 'видели', 'гнёзда', 'пустыми', 'шторма'],
  ],
  [
    'النوارس تعشش على المنحدرات، وقد رأينا أن هذه الأعشاش كانت فارغة بعد العاصفة التي مرت',
    ['النوارس', 'تعشش', 'المنحدرات', 'رأينا', 'الأعشاش', 'فارغة', 'العاصفة', 'مرت'],
  ],
  [
    '갈매기는 절벽에 둥지를 튼다. 그러나 우리는 또한 그리고 때문에 둥지가 비었다.',
    ['갈매기는', '절벽에', '둥지를', '우리는', '둥지가', '비었다'],
  ],
  [
    'カモメは断崖に巣を作る。しかし私たちは、その巣が嵐のあとに空だったこともある。',
    ['カモメ', '断崖', '作る'],
  ],
])('has no grammar of the language: %s', (text, keywords) => {
  expect(Object.keys(extractKeywords(text, 20))).toEqual(keywords);
});

it('takes a word for grammar only in its own language', () => {
  expect(Object.keys(extractKeywords('A die was cast: the die shapes hot metal.', 2))).toEqual([
    'die',
    'cast',
  ]);
  const german = 'Der Vater und das Kind sahen die Möwen nicht, weil sie dort nicht mehr brüten.';
  expect(Object.keys(extractKeywords(german))).toContain('Kind');
});

it('takes the grammar of a document for that of a text too short to tell', () => {
  const keywords = new DocumentKeywords([], ['de']);
  expect(Object.keys(keywords.of('Die Möwe und ich'))).toEqual(['Möwe']);
});

const LONGEST_CHUNK = 8_000;
const hostile = [
  'a',
  'a.',
  'a-',
  'a@',
  '.com',
  '](',
  ']( ',
  '<a',
  '&#1',
  'http://a/',
  '中',
  '中，',
  'กา',
  'a\u0301\u0316',
  '👨‍👩‍👧‍👦',
];

it.each(hostile)('takes linear time for a text of %j', async (unit) => {
  const texts = Array.from({ length: 40 }, () => unit.repeat(LONGEST_CHUNK / unit.length));
  expect(await cpuTime(() => texts.map((text) => extractKeywords(text)))).toBeLessThan(3_000);
});

it('finds words in scripts without spaces, however long a text goes on without a mark', () => {
  expect(extractKeywords('知识图谱'.repeat(1_000), 1)).toEqual({ 知识图谱: 1 });
});

it('looks at as much of a text as a chunk has that splitting makes', () => {
  expect(extractKeywords(`${'gulls '.repeat(1_400)} terns`)).toEqual({ gulls: 1 });
});
