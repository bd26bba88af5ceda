import { readdir, readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { chunksPath, createRestClient, TENANT } from '../integration/support/rest-client.js';
import { useApp } from '../support/app.js';
import { waitFor } from '../support/wait-for.js';

/** Where somebody who opens the file sees a text, and in what language it is. */
type Passage = [text: string, page: number, language?: string];

interface Readable {
  subType: keyof typeof MEDIA_TYPES;
  /** How much text is seen at least, white space counted as one blank. */
  minCharacters: number;
  /** Each in one chunk. */
  finds: Passage[];
}

interface Unreadable {
  fails: 'empty_text' | 'encrypted' | 'scanned';
  toDo: RegExp;
}

const MEDIA_TYPES = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  doc: 'application/msword',
  odt: 'application/vnd.oasis.opendocument.text',
  rtf: 'application/rtf',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  epub: 'application/epub+zip',
  eml: 'message/rfc822',
  html: 'text/html',
  md: 'text/markdown',
  csv: 'text/csv',
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  xml: 'application/xml',
  txt: 'text/plain',
};

const removePassword = { fails: 'encrypted', toDo: /remove the password and upload it again/ } as const;
const uploadText = { fails: 'empty_text', toDo: /upload one that does/ } as const;

/** What a person sees in each file, found out without our own parsers. A slide or a sheet is a page. */
const SAMPLES: Record<string, Readable | Unreadable> = {
  '370-columns.csv': {
    subType: 'csv',
    minCharacters: 53_000,
    finds: [
      ['| 6Prot WARS | 6Prot WFDC2 | 6Prot XRCC4 |', 1],
      ['1Freq CD161CD8TfrequencyUnstim: 0.326592318 1Freq Ki67CD8frequencyUnstim: -0.497615425', 1],
      ['6Prot XRCC4: -0.226758148', 1],
    ],
  },
  'annual-report-10k.html': {
    subType: 'html',
    minCharacters: 3_800,
    finds: [
      ['23,718,968 common shares as of March 28, 2022.', 1, 'en'],
      ['a well-known seasoned issuer, as defined in Rule 405 of the Securities Act.', 1, 'en'],
      ['ANNUAL REPORT ON FORM 10-K FOR THE YEAR ENDED DECEMBER 31, 2021', 1],
      ['| Common stock | GLXZ | OTCQB marketplace |', 1],
      ['| Quantitative and Qualitative Disclosures about Market Risk | 14 |', 1],
    ],
  },
  'attachment.eml': {
    subType: 'eml',
    minCharacters: 150,
    finds: [
      ['Fake email with attachment', 1, 'en'],
      ['Lots of whitespace', 1, 'en'],
      ['Hey this is a fake attachment!', 1, 'en'],
    ],
  },
  'base64.eml': {
    subType: 'eml',
    minCharacters: 80,
    finds: [
      ['This is a test email to use for unit tests.', 1, 'en'],
      ['Violets are blue', 1, 'en'],
    ],
  },
  'bullets.pptx': {
    subType: 'pptx',
    minCharacters: 195,
    finds: [
      ['Adding a Bullet Slide', 1, 'en'],
      ['- Use _TextFrame.add_paragraph() for subsequent bullets', 1, 'en'],
      ['Here is some text in a text box!', 1, 'en'],
    ],
  },
  'codeblock.md': {
    subType: 'md',
    minCharacters: 500,
    finds: [
      ['<p>This is a simple HTML example.</p>', 1, 'en'],
      ["<body>Don't forget me this weekend!</body>", 1, 'en'],
    ],
  },
  'contract.pdf': {
    subType: 'pdf',
    minCharacters: 31_000,
    finds: [['No payment will be made prior to approval of any work', 2, 'en']],
  },
  'cp1252.html': {
    subType: 'html',
    minCharacters: 800,
    finds: [
      ['Sie sagte: "Das war köstlich!" und lächelte dabei. Der Preis betrug 15,50 €.', 1],
      ['La señora dijo: "¡Qué rico!" y pagó 25,75 €.', 1],
    ],
  },
  'elements.json': {
    subType: 'json',
    minCharacters: 2_500,
    finds: [
      ['These are a few of my favorite things:', 1],
      ['This is my first thought. This is my second thought.', 1],
      ['DOYLESTOWN, PA 18901', 1],
    ],
  },
  'empty.pdf': uploadText,
  'empty.txt': uploadText,
  'empty.xlsx': uploadText,
  'encrypted.pdf': removePassword,
  'english-and-spanish.eml': {
    subType: 'eml',
    minCharacters: 2_900,
    finds: [
      ['Test email with multiple languages', 1, 'en'],
      ['They are endowed with reason and conscience and should act towards one another', 1, 'en'],
      ['dotados como están de razón y conciencia, deben comportarse fraternalmente', 1, 'es'],
    ],
  },
  'every-markdown-construct.md': {
    subType: 'md',
    minCharacters: 5_500,
    finds: [
      ['MapReduce is a paradigm popularized by [Google] [@mapreduce] as its most vocal proponent.', 1, 'en'],
      ['|魚|fish|', 1],
      ['| Antarctica | -89.2 | N/A | 19.8 |', 1],
    ],
  },
  'example-docs.md': {
    subType: 'md',
    minCharacters: 800,
    finds: [
      ['The sample docs directory contains the following files:', 1, 'en'],
      ['https://www.sec.gov/Archives/edgar/data/311094/000117184321001344/0001171843-21-001344.txt', 1, 'en'],
    ],
  },
  'factbook-utf-16.xml': {
    subType: 'xml',
    minCharacters: 200,
    finds: [
      ['Justin Trudeau', 1],
      ['Trinidad & Tobado', 1],
      ['Track & Field', 1],
    ],
  },
  'factbook.xml': {
    subType: 'xml',
    minCharacters: 200,
    finds: [
      ['Justin Trudeau', 1],
      ['Trinidad & Tobado', 1],
      ['Track & Field', 1],
    ],
  },
  'failure-after-repair.pdf': {
    subType: 'pdf',
    minCharacters: 100_000,
    finds: [
      ['A guide for people with cancer, their families and friends', 1, 'en'],
      [
        'Some breast tissue extends into the armpit (axilla). This is known as the ‘axillary tail’ of the breast.',
        8,
        'en',
      ],
      [
        '| PR+ | Cancer cells with progesterone receptors are called progesterone receptor positive. |',
        18,
        'en',
      ],
    ],
  },
  'financial-sample.xlsx': {
    subType: 'xlsx',
    minCharacters: 90_000,
    finds: [
      ['| Government | Canada | Carretera | None | 1618.5 | $3.00 | $20.00 | $32,370.00 |', 1],
      ['| Channel Partners | United States of America | VTT | High | 1806 | $250.00 | $12.00 |', 1],
    ],
  },
  'french.rtf': { subType: 'rtf', minCharacters: 22, finds: [['Test d’indexation Word', 1]] },
  'game-codex-619p.pdf': {
    subType: 'pdf',
    minCharacters: 1_700_000,
    finds: [
      [
        'It is known that mages are able to walk the Fade while completely aware of their surroundings',
        6,
        'en',
      ],
    ],
  },
  'garden-tools.ndjson': {
    subType: 'ndjson',
    minCharacters: 130,
    finds: [['| GRD-3317 | Pruning Shears | 24.99 | true |', 1, 'en']],
  },
  'google-docs.pdf': {
    subType: 'pdf',
    minCharacters: 1_150,
    finds: [
      ["Special cases aren't special enough to break the rules.", 1, 'en'],
      ['| Capital | Jakarta | Berlin | Vienna | Paris | Vatican City |', 1],
    ],
  },
  'handbook-872p.docx': {
    subType: 'docx',
    minCharacters: 790_000,
    finds: [
      ['October 1, 2012', 1, 'en'],
      ['Table of Contents', 2, 'en'],
    ],
  },
  'header-and-footer.docx': { subType: 'docx', minCharacters: 13, finds: [['Main document', 1, 'en']] },
  'heading-and-table.rtf': {
    subType: 'rtf',
    minCharacters: 110,
    finds: [
      ['# My First Heading', 1, 'en'],
      ['My first paragraph.', 1, 'en'],
      ['| Column 1 | Column 2 |', 1],
      ['| Row 2, Cell 1 | Row 2, Cell 2 |', 1],
    ],
  },
  'human-rights-article-1-all-languages.txt': {
    subType: 'txt',
    minCharacters: 92_000,
    finds: [
      ['They are endowed with reason and conscience and should act towards one another', 1],
      ['他們賦有理性和良心，並應以兄弟關係的精神相對待。', 1, 'zh'],
      ['すべての人間は、生まれながらにして自由であり', 1, 'ja'],
      ['모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다.', 1],
      ['Все люди рождаются свободными и равными в своем достоинстве и правах.', 1],
      ['يولد جميع الناس أحرارًا متساوين في الكرامة والحقوق.', 1],
      ['มนุษย์ทั้งปวงเกิดมามีอิสระและเสมอภาคกันในศักดิ์ศรีและสิทธิ', 1],
      ['Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα.', 1],
    ],
  },
  'ideas-page.html': {
    subType: 'html',
    minCharacters: 770,
    finds: [
      [
        'The way to get new ideas is to notice anomalies: what seems strange, or missing, or broken?',
        1,
        'en',
      ],
      ['the best place to look for them is at the frontiers of knowledge.', 1, 'en'],
      ['exploring such gaps yields whole new fractal buds.', 1, 'en'],
    ],
  },
  'japanese.rtf': {
    subType: 'rtf',
    minCharacters: 17,
    finds: [
      ['こんにちは', 1, 'ja'],
      ['テスト', 1, 'ja'],
    ],
  },
  'korean-text-with-tables.pdf': {
    subType: 'pdf',
    minCharacters: 1_250,
    finds: [
      ['| 온라인쇼핑몰 | 삼성카드 쇼핑, G마켓, 옥션, 11번가, 인터파크, 쿠팡, 티몬, 위메프 |', 1, 'ko'],
      ['- 주유는 LPG충전소 포함', 1, 'ko'],
    ],
  },
  'latex-4-pages.pdf': {
    subType: 'pdf',
    minCharacters: 14_000,
    finds: [['A blind text like this gives you information about the selected font', 1, 'en']],
  },
  'latex-multicolumn.pdf': {
    subType: 'pdf',
    minCharacters: 7_000,
    finds: [
      ['Vivamus viverra fermentum felis. Donec nonummy pellentesque ante.', 1],
      ['| Czech Republic | 10.7 | 78,866 | Prague | Czech |', 3],
    ],
  },
  'libreoffice-password.pdf': removePassword,
  'libreoffice.odt': { subType: 'odt', minCharacters: 27, finds: [['This is an example document', 1, 'en']] },
  'lorem-and-table.odt': {
    subType: 'odt',
    minCharacters: 110,
    finds: [
      ['Lorem ipsum dolor sit amet.', 1],
      ['| Header row | Mon | Wed | Fri |', 1],
      ['| Color | Blue | Red | Green |', 1, 'en'],
      ['| Leader | Sarah | Mark | Ryan |', 1],
    ],
  },
  'lorem.doc': { subType: 'doc', minCharacters: 27, finds: [['Lorem ipsum dolor sit amet.', 1]] },
  'lorem.docx': { subType: 'docx', minCharacters: 27, finds: [['Lorem ipsum dolor sit amet.', 1]] },
  'malformed.pptx': {
    subType: 'pptx',
    minCharacters: 35,
    finds: [
      ['Problem Date Placeholder', 1, 'en'],
      ['Test Slide', 1, 'en'],
    ],
  },
  'memo.pdf': {
    subType: 'pdf',
    minCharacters: 200,
    finds: [
      [
        'There were 20,000 bottles of water, 10,000 blankets, and 200 laptops delivered on January 23, 2023.',
        1,
        'en',
      ],
    ],
  },
  'more-than-1k-cells.xlsx': {
    subType: 'xlsx',
    minCharacters: 2_000,
    finds: [[`${'| x '.repeat(26)}|`, 1]],
  },
  'nested-lists.pdf': {
    subType: 'pdf',
    minCharacters: 2_500,
    finds: [
      ['- What is product development and quality assurance, and who is involved?', 1, 'en'],
      ['- Underlying considerations: materials and manufacturing processes', 1, 'en'],
    ],
  },
  'optional-hyphen.pdf': { subType: 'pdf', minCharacters: 14, finds: [['optionalhyphen', 1]] },
  'page-breaks.docx': {
    subType: 'docx',
    minCharacters: 510,
    finds: [
      ['First page, tab here: followed by line-break here: here: and here: no-break hyphen here:', 1, 'en'],
      ['<<Text on second page.', 2, 'en'],
      ['<<followed by text on same page', 3, 'en'],
      ['<<producing two page-breaks to get from page-3 to page-5.', 5, 'en'],
      ['<<and then more text proceeds.', 6, 'en'],
    ],
  },
  'page-header.pdf': {
    subType: 'pdf',
    minCharacters: 60,
    finds: [['Here is a lovely sentences.', 1, 'en']],
  },
  'password.pdf': removePassword,
  'password.xlsx': removePassword,
  'quarterly-index.xlsx': {
    subType: 'xlsx',
    minCharacters: 950,
    finds: [
      ['Operational metrics', 1, 'en'],
      ['Average foreign exchange rates | Nine quarters to 30 June 2023 |', 1, 'en'],
    ],
  },
  'scan-with-text-layer.pdf': {
    subType: 'pdf',
    minCharacters: 3_700,
    finds: [
      [
        'State universities and community college retirees and employees face increasing threats to their pension and health benefits.',
        1,
        'en',
      ],
    ],
  },
  'scanned-table.pdf': { fails: 'scanned', toDo: /run text recognition \(OCR\) on it and upload the result/ },
  'semicolon-delimited.csv': {
    subType: 'csv',
    minCharacters: 160,
    finds: [
      ['| Lorem, ipsum | dolor sit | amet |', 1],
      ['| ut labore | et, dolore | magna aliqua |', 1],
    ],
  },
  'small-tables.pdf': {
    subType: 'pdf',
    minCharacters: 190,
    finds: [
      ['Simple document', 1],
      ['| Water Boiling Point | 100 | 212 |', 1],
    ],
  },
  'stanley-cups-utf-16.csv': {
    subType: 'csv',
    minCharacters: 85,
    finds: [['| Maple Leafs | TOR | 13 |', 1, 'en']],
  },
  'stanley-cups.csv': {
    subType: 'csv',
    minCharacters: 85,
    finds: [['| Maple Leafs | TOR | 13 |', 1, 'en']],
  },
  'stanley-cups.xlsx': {
    subType: 'xlsx',
    minCharacters: 180,
    finds: [
      ['| Maple Leafs | TOR | 13 |', 1, 'en'],
      ['Stanley Cups Since 67', 2, 'en'],
      ['| Maple Leafs | TOR | 0 |', 2, 'en'],
    ],
  },
  'steel-datasheet-utf-16.html': {
    subType: 'html',
    minCharacters: 1_300,
    finds: [
      ['bars to be used for the manufacture of the bolts, stud bolts, washers, nuts and other', 1, 'en'],
      [
        '| 0.39 - 0.46 | 0.2 - 0.35 | 0.65 - 1.1 | max 0.025 | max 0.025 | 0.75 - 1.2 | 0.15 - 0.25 |',
        1,
        'en',
      ],
      ['| Bars | 890 | 1000 | 12 | 40 |', 1, 'en'],
    ],
  },
  'table.pptx': {
    subType: 'pptx',
    minCharacters: 100,
    finds: [
      ['A Slide with a Table', 1, 'en'],
      ['| Column 1 | Column 2 | Column 3 |', 1, 'en'],
      ['| Tangerine | Pink | Aqua |', 1, 'en'],
    ],
  },
  'tables.docx': {
    subType: 'docx',
    minCharacters: 150,
    finds: [
      ['Simple uniform table', 1, 'en'],
      ['| Header Col 1 | Header Col 2 |', 1, 'en'],
      ['| a | >b< | c |', 1, 'en'],
      ['g&t', 1, 'en'],
      ['| j | k | l |', 1, 'en'],
      ['Table with merged cells', 1, 'en'],
    ],
  },
  'three-languages-cp1252.txt': {
    subType: 'txt',
    minCharacters: 1_500,
    finds: [
      ["en ABC let's push this through", 1, 'en'],
      ['Port ABC contratação de sucesso', 1, 'pt'],
      ['español ABC intermediario uno bien conectado', 1, 'es'],
    ],
  },
  'two-column-paper.pdf': {
    subType: 'pdf',
    minCharacters: 55_000,
    finds: [
      [
        'where embeddings are learned from a small number of questions and passages by a simple dual-encoder framework.',
        1,
        'en',
      ],
      ['| BM25+DPR | 38.8 | 57.9 | 41.1 | 50.6 | 35.8 |', 8],
    ],
  },
  'two-pages.pdf': {
    subType: 'pdf',
    minCharacters: 32,
    finds: [
      ['Page one content', 1],
      ['Page two content', 2],
    ],
  },
  'two-text-boxes.pdf': {
    subType: 'pdf',
    minCharacters: 77,
    finds: [['Left column line 1 Left column line 2 Right column line 1 Right column line 2', 1, 'en']],
  },
  'umlauts-latin-1.md': { subType: 'md', minCharacters: 21, finds: [['## können können äöüß', 1, 'de']] },
  'utf-16-be.txt': {
    subType: 'txt',
    minCharacters: 155,
    finds: [
      ['This is a test document to use for unit tests.', 1, 'en'],
      ['Hamburgers are delicious', 1, 'en'],
    ],
  },
  'war-and-peace.txt': {
    subType: 'txt',
    minCharacters: 3_180_000,
    finds: [
      ['"Well, Prince, so Genoa and Lucca are now just family estates of the Buonapartes.', 1, 'en'],
      ['the twentieth, when the memorable battle of Austerlitz was fought.', 1, 'en'],
      ['to recognize a dependence of which we are not conscious.', 1, 'en'],
    ],
  },
  // A part of the reading order is a page; the cover is the first.
  'winter-sports.epub': {
    subType: 'epub',
    minCharacters: 330_000,
    finds: [
      ['As is Mecca to the Mohammedan, as is St. Peter’s to the Catholic, so is the Cresta run', 6, 'en'],
      ['FOR PARENTS AND GUARDIANS', 9, 'en'],
      ['There are large quantities of folk who would sooner die than dance', 9, 'en'],
    ],
  },
};

/** What is asked, the file that answers, and the answer. */
const QUESTIONS: [question: string, file: string, answer: string][] = [
  ['Is payment made prior to approval of the work?', 'contract.pdf', 'No payment will be made'],
  [
    'When must the standing trustee file a final report?',
    'handbook-872p.docx',
    'The standing trustee must file a final report promptly after review of the administration of the case',
  ],
  ['Which is the famous ice-run for the tobogganer at St. Moritz?', 'winter-sports.epub', 'Cresta ice-run'],
  ['What does a garden trowel cost?', 'garden-tools.ndjson', '12.5'],
  [
    'Which page shows average foreign exchange rates?',
    'quarterly-index.xlsx',
    'Average foreign exchange rates',
  ],
  ['Which steel bars are used for bolts in nuclear reactors?', 'steel-datasheet-utf-16.html', 'stud bolts'],
  ['When was the memorable battle of Austerlitz fought?', 'war-and-peace.txt', 'battle of Austerlitz'],
  ['티몬과 쿠팡 적립', 'korean-text-with-tables.pdf', '쿠팡, 티몬'],
  ['怎样以兄弟关系的精神相对待', 'human-rights-article-1-all-languages.txt', '兄弟关系的精神相对待'],
  ['roses and violets in an email', 'base64.eml', 'Violets are blue'],
];

interface Chunk {
  content: string;
  metadata: { page_number: number; languages: string[]; filetype: string };
}

const app = useApp({ maxPageSize: 10_000 });
const { call, getDocument, search, upload } = createRestClient(app);
const folder = new URL('../samples/', import.meta.url);
const documents = new Map<string, string>();

/** What no reader can show: replacement and private characters, and control characters. */
const NO_TEXT = /[\ufffd\p{Co}\p{Cn}\u0080-\u009f]/u;

const idOf = (file: string) => documents.get(file) as string;
const flat = (text: string) => text.replace(/\s+/g, ' ').trim();

async function allChunks(file: string): Promise<Chunk[]> {
  const page = await call(200, 'GET', chunksPath(idOf(file)), { query: { ...TENANT, pageSize: 10_000 } });
  return page.data;
}

beforeAll(async () => {
  for (const file of Object.keys(SAMPLES)) {
    const bytes = new Uint8Array(await readFile(new URL(file, folder)));
    documents.set(file, (await upload(bytes, file, { datasetIds: 'samples' })).id);
  }
  // One after another: together they take minutes on a busy machine, where parsers come last.
  for (const file of documents.keys()) await waitUntilProcessed(file);
}, 1_200_000);

/** However long that takes, as long as it gets on: of hundreds of pages, a busy machine reads a few in a minute. */
async function waitUntilProcessed(file: string): Promise<void> {
  let progress = -1;
  const hasChanged = async () => {
    const { status, processingProgress } = await getDocument(idOf(file));
    return (!isPending(status) || processingProgress !== progress) && { status, processingProgress };
  };
  for (;;) {
    const now = await waitFor(hasChanged, { what: `${file} to be processed further`, intervalMs: 200 });
    if (!isPending(now.status)) return;
    progress = now.processingProgress;
  }
}

const isPending = (status: string) => status === 'created' || status === 'processing';

test('there is a row for every sample', async () => {
  const files = (await readdir(folder)).filter((name) => name !== 'README.md');
  expect(Object.keys(SAMPLES).sort()).toEqual(files.sort());
});

const rows = Object.entries(SAMPLES);
const readable = rows.filter((row): row is [string, Readable] => 'finds' in row[1]);
const unreadable = rows.filter((row): row is [string, Unreadable] => 'fails' in row[1]);

describe('what somebody sees is in the chunks', () => {
  test.each(readable)('of %s', async (file, { subType, minCharacters, finds }) => {
    expect(await getDocument(idOf(file))).toMatchObject({ status: 'ready', documentSubType: subType });
    const chunks = (await allChunks(file)).map((chunk) => ({ ...chunk, content: flat(chunk.content) }));
    expect([...new Set(chunks.map(({ metadata }) => metadata.filetype))]).toEqual([MEDIA_TYPES[subType]]);

    const wrong = finds.filter(
      ([text, page, language]) =>
        !chunks.some(
          ({ content, metadata }) =>
            content.includes(text) &&
            metadata.page_number === page &&
            (language === undefined || metadata.languages.includes(language)),
        ),
    );
    // Where it is instead says more than that it is not there.
    const instead = wrong.map(([text]) =>
      chunks
        .filter(({ content }) => content.includes(text))
        .map(({ metadata }) => [metadata.page_number, ...metadata.languages]),
    );
    expect({ wrong, instead }).toEqual({ wrong: [], instead: [] });
    expect(chunks.filter(({ content }) => NO_TEXT.test(content)).map(({ content }) => content)).toEqual([]);
    const characters = chunks.reduce((sum, { content }) => sum + content.length, 0);
    expect(characters).toBeGreaterThanOrEqual(minCharacters);
  });
});

describe('why there is nothing to see is told', () => {
  test.each(unreadable)('of %s', async (file, { fails, toDo }) => {
    const { documents } = app.trpc();
    expect(await documents.get.query({ scope: TENANT, documentId: idOf(file) })).toMatchObject({
      status: 'failed',
      chunkCount: 0,
      error: { code: fails, message: expect.stringMatching(toDo), retryable: false },
    });
    expect(await allChunks(file)).toEqual([]);
  });
});

describe('a search among all of them', () => {
  test.each(QUESTIONS)('for "%s" finds %s first', async (question, file, answer) => {
    const [hit] = await search(question, { dataset_ids: ['samples'] });
    expect(hit).toMatchObject({ document_id: idOf(file), document_name: file });
    expect(flat(hit.content)).toContain(answer);
  });
});
