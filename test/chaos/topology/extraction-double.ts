/** An extraction engine as a program: `extraction-double.js PORT`. It reads pages of bars, is often slow, and sometimes refuses. */
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import sharp from 'sharp';
import { markerOf } from '../load/texts.js';
import { fromBars } from '../model/bars.js';

/** So slow that it is killed over some pages. */
const LONGEST_PAUSE_MS = 1_500;
const FAILING = 0.05;

createServer(async (request, response) => {
  try {
    const bytes = await buffer(request);
    if (request.method !== 'POST') return void response.writeHead(200).end();
    await delay(Math.random() * LONGEST_PAUSE_MS);
    if (Math.random() < FAILING) return void response.writeHead(503).end();
    const { data, info } = await sharp(bytes).greyscale().raw().toBuffer({ resolveWithObject: true });
    const number = fromBars({ gray: data, width: info.width, height: info.height });
    response.writeHead(200, { 'content-type': 'text/markdown' }).end(`This page shows ${markerOf(number)}.`);
  } catch {
    response.destroy();
  }
}).listen(Number(process.argv[2]), '127.0.0.1');
