/** The measured routes as one writes them by hand with Express, zod and Kysely. */
import express, { type ErrorRequestHandler } from 'express';
import { ZodError } from 'zod';
import { listen, url } from '../listen.js';
import { connect } from '../snake-case-schema.js';
import { serveChunks } from './chunks.js';
import { serveConversations } from './conversations.js';
import { serveDocuments } from './documents.js';
import { serveMessages } from './messages.js';

const db = connect(url);
const app = express();
app.disable('x-powered-by');
app.disable('etag');
app.use('/admin/api/v2/conversations', serveConversations(db));
app.use('/admin/api/v1/documents', serveDocuments(db));
app.use('/admin/api/v1/api/v1/documents', serveChunks(db));
app.use('/messages', serveMessages(url));
const onError: ErrorRequestHandler = (error, _req, res, _next) => {
  if (error instanceof ZodError) res.status(422).json({ detail: error.issues });
  else res.status(500).json({ detail: String(error) });
};
app.use(onError);
listen(app);
