import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { REMOVAL } from '../../../src/cli/shared/data-dir.js';
import { checkInstallation, checkParsed } from './check-parsed.js';
import { findPorts } from './find-ports.js';
import { expectShape } from './json-shape.js';
import { startShell } from './page-shell.js';
import { groupPrograms, startProgram } from './programs.js';
import { type Block, readBlocks } from './read-blocks.js';
import { runStatement } from './run-statement.js';
import { makeView } from './view.js';

/** Ports of servers and receivers that pages name, which may be in use here: each page has others in their place. */
const PORTS = [8080, 9000];
/** What would change this machine or checkout: folders outside, and packages. */
const FORBIDDEN =
  /(?<=^|[\s=>])\/(?!dev\/|tmp\/)\w\S*|\bnpm (?:ci|i|install|link|uninstall|update)\b|\bsudo\b/m;

/** Runs the blocks of a page in order, in a checkout and with a server of its own. @throws Error for the first that fails */
export async function runPage(page: string): Promise<{ run: number; parsed: number }> {
  const root = mkdtempSync(path.join(os.tmpdir(), 'lectern-guide-'));
  chmodSync(root, 0o755); // started by root, the database runs under an account that must get in
  const folder = path.join(root, 'checkout');
  const home = path.join(root, 'home');
  makeView(folder);
  mkdirSync(home);
  const free = await findPorts(PORTS);
  const blocks = readBlocks(page, (text) => text.replace(/\b\d{4}\b/g, (port) => free.get(port) ?? port));
  const port = free.get('8080')!;
  const shell = startShell({
    folder,
    files: root,
    env: {
      PATH: process.env.PATH,
      HOME: home,
      PORT: port,
      npm_config_offline: 'true',
      npm_config_update_notifier: 'false',
    },
  });
  const programs = groupPrograms(
    blocks.filter((block) => block.kind === 'program' && !isRunByPage(block, blocks)),
  );
  const started: Awaited<ReturnType<typeof startProgram>>[] = [];
  // A page that has one installed starts it, too.
  let hasServer = blocks.some(({ kind }) => kind === 'install');
  const counts = { run: 0, parsed: 0 };

  async function runProgram(block: Block): Promise<string> {
    if (block.fileName && isRunByPage(block, blocks)) {
      writeFileSync(path.join(folder, block.fileName), block.text);
      return '';
    }
    if (block.language !== 'ts') throw new Error(`${page}:${block.line}: the page does not run it`);
    const program = programs.find(([first]) => first === block);
    if (program)
      started.push(await startProgram(program, { folder, url: `http://127.0.0.1:${port}`, env: shell.env }));
    return started.at(-1)!.step(block);
  }

  async function runBlock(block: Block): Promise<string> {
    if (!hasServer) await shell.run({ page, line: 2, text: 'node bin/lectern.js serve' });
    hasServer = true;
    if (block.kind === 'program') return runProgram(block);
    if (block.kind === 'statement') return runStatement(block, folder, shell.env);
    const [forbidden] = FORBIDDEN.exec(block.text) ?? [];
    if (forbidden)
      throw new Error(`${page}:${block.line}: commands that are run must not have: ${forbidden}`);
    return shell.run(block);
  }

  try {
    for (const block of blocks) {
      if (block.kind === 'output') continue;
      if (block.kind === 'install') checkInstallation(block);
      else if (block.kind === 'parsed') await checkParsed(block);
      else {
        const printed = await runBlock(block);
        if (process.env.GUIDE_PAGE)
          console.log(`${page}:${block.line} ${Math.round(performance.now())} ms\n${block.text}\n${printed}`);
        expectShape(block, printed);
      }
      counts[block.kind === 'install' || block.kind === 'parsed' ? 'parsed' : 'run']++;
    }
    return counts;
  } finally {
    await Promise.all(started.map((program) => program.end()));
    await shell.end();
    await rm(root, REMOVAL);
  }
}

/** Whether a page has a block saved and then runs it in its shell. */
const isRunByPage = ({ fileName, line }: Block, blocks: Block[]): boolean =>
  fileName !== undefined &&
  blocks.some((later) => later.kind === 'shell' && later.line > line && later.text.includes(fileName));
