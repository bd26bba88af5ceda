/** What a model was trained to have before each question and each passage. */
export interface Prefixes {
  query: string;
  passage: string;
}

const INSTRUCTION = 'Instruct: Given a web search query, retrieve relevant passages that answer the query\n';

/** Models by the last part of their name, with the prefixes that their makers document. */
const FAMILIES: [names: RegExp, prefixes: Prefixes][] = [
  [/^(multilingual-)?e5-(small|base|large)(-v2)?$/, { query: 'query: ', passage: 'passage: ' }],
  [/^(multilingual-e5-large|e5-mistral-7b)-instruct$/, { query: `${INSTRUCTION}Query: `, passage: '' }],
  [
    /^bge-(small|base|large)-en(-v1\.5)?$/,
    { query: 'Represent this sentence for searching relevant passages: ', passage: '' },
  ],
  [/^bge-(small|base|large)-zh(-v1\.5)?$/, { query: '为这个句子生成表示以用于检索相关文章：', passage: '' }],
  [/^nomic-embed-text(-v1|-v1\.5|-v2|-v2-moe)?$/, { query: 'search_query: ', passage: 'search_document: ' }],
  [/^gte-qwen(2|1\.5)-[\d.]+b-instruct$/, { query: `${INSTRUCTION}Query: `, passage: '' }],
  [/^qwen3-embedding(-[\d.]+b)?$/, { query: `${INSTRUCTION}Query:`, passage: '' }],
];

/** Formats of files and of numbers, which some servers put after the name. */
const FILE_FORMAT = /[-_.](gguf|onnx)$/;
const NUMBER_FORMAT = /[-_.](f16|fp16|q\d(_[\dk])?(_[ms])?)$/;

/** The prefixes of a model of a known family, by its name; undefined for all others, most of which need none. */
export function findKnownPrefixes(model: string): Prefixes | undefined {
  const name = model
    .toLowerCase()
    .replace(/^.*\//, '')
    .replace(/:[^:]*$/, '')
    .replace(/^text-embedding-/, '')
    .replace(FILE_FORMAT, '')
    .replace(NUMBER_FORMAT, '');
  return FAMILIES.find(([names]) => names.test(name))?.[1];
}
