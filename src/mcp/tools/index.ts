import { z } from 'zod';
import { type Caller, mayCall, type Tool } from '../tool.js';
import { getMessages, listConversations } from './conversations.js';
import { addDocument, fetchDocument, listDocuments } from './documents.js';
import { listDatasets, search } from './search.js';

/** All tools, whoever may call them. */
export const tools: readonly Tool[] = [
  search,
  fetchDocument,
  listDocuments,
  listDatasets,
  addDocument,
  listConversations,
  getMessages,
];
const byName = new Map(tools.map((one) => [one.name, one]));

/** As clients see them; made once, for schemas take a millisecond. */
const described = tools.map(({ name, title, description, annotations, input, output, procedure }) => ({
  procedure,
  shown: {
    name,
    title,
    description,
    annotations: { title, ...annotations },
    inputSchema: toJsonSchema(input, 'input'),
    outputSchema: toJsonSchema(output, 'output'),
  },
}));

export const findTool = (name: string): Tool | undefined => byName.get(name);

/** The tools that a caller may call. */
export const toolsFor = (caller: Caller) =>
  described.filter(({ procedure }) => mayCall(caller, procedure)).map(({ shown }) => shown);

function toJsonSchema(schema: z.ZodType, io: 'input' | 'output') {
  // Clients of 2025 know no dialect of this name; what is used is the same in theirs.
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    // A later version may answer more fields, to clients that know this schema.
    override: ({ jsonSchema }) => {
      if (io === 'input') return;
      delete jsonSchema.additionalProperties;
      // Bounds of safe integers would only cost tokens.
      delete jsonSchema.minimum;
      delete jsonSchema.maximum;
    },
  });
  return json as { type: 'object' };
}
