/** Asks a question with OpenAI's package: a dataset is a vector store. Usage: node built/openai.js QUESTION */
import OpenAI from 'openai';

const { LECTERN_URL = 'http://127.0.0.1:8080', LECTERN_KEY, LECTERN_TENANT = 'example' } = process.env;
const [query] = process.argv.slice(2);
if (!query) {
  console.error('Usage: node built/openai.js QUESTION');
  process.exit(2);
}
const baseURL = new URL('/integrations/openai/v1', LECTERN_URL).href;
const openai = new OpenAI({
  baseURL,
  apiKey: LECTERN_KEY ?? 'none',
  defaultQuery: { tenantId: LECTERN_TENANT },
});
const { data } = await openai.vectorStores.search('vs_files', { query, max_num_results: 3 });
for (const { score, filename, content } of data) {
  console.log(`${score.toFixed(2)}  ${filename}\n${content.map(({ text }) => text).join('\n')}\n`);
}
