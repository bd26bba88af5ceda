import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { zipOf } from './support/zip.js';

const PROGRAM = fileURLToPath(new URL('../bin/file-to-markdown.js', import.meta.url));
const run = promisify(execFile);
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'file-to-markdown-'));
});
afterAll(() => rm(folder, { recursive: true }));

it('leaves out comments when it is told to', async () => {
  const file = path.join(folder, 'slides.pptx');
  const relation = (type: string, target: string) =>
    `<Relationships><Relationship Id="r1" Type="x/${type}" Target="${target}"/></Relationships>`;
  const parts = {
    'ppt/presentation.xml': '<p:presentation><p:sldIdLst><p:sldId r:id="r1"/></p:sldIdLst></p:presentation>',
    'ppt/_rels/presentation.xml.rels': relation('slide', 'slides/slide1.xml'),
    'ppt/slides/slide1.xml':
      '<p:sld><p:cSld><p:spTree><p:sp><p:txBody><a:p><a:r><a:t>Fees</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:sld>',
    'ppt/slides/_rels/slide1.xml.rels': relation('comments', '../comments/comment1.xml'),
    'ppt/comments/comment1.xml': '<p:cmLst><p:cm><p:text>Since when?</p:text></p:cm></p:cmLst>',
  };
  await writeFile(file, zipOf(parts));
  expect(await run(process.execPath, [PROGRAM, file])).toEqual({
    stdout: 'Fees\n\n[Comment: Since when?]\n',
    stderr: '',
  });
  expect(await run(process.execPath, [PROGRAM, '--no-comments', file])).toEqual({
    stdout: 'Fees\n',
    stderr: '',
  });
});
