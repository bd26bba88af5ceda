import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { REMOVAL } from '../../../src/cli/shared/data-dir.js';
import { roomInMemory } from '../../support/room-in-memory.js';
import { checkCommands, checkInstallation, checkParsed } from './check-commands.js';
import { findPorts } from './find-ports.js';
import { expectShape } from './json-shape.js';
import { startShell } from './page-shell.js';
import { createPrograms } from './programs.js';
import { type Block, readBlocks } from './read-blocks.js';
import { runStatement } from './run-statement.js';
import { makeView } from './view.js';

/** Ports of servers and receivers that pages name, which may be in use here: each page has others in their place. */
const PORTS = [8080, 9000];

/** Runs the blocks of a page in order, in a checkout and with a server of its own. @throws Error for the first that fails */
export async function runPage(page: string): Promise<{ run: number; parsed: number }> {
  const free = await findPorts(PORTS);
  const blocks = readBlocks(page, (text) => text.replace(/\b\d{4}\b/g, (port) => free.get(port) ?? port));
  const port = free.get('8080')!;
  const root = mkdtempSync(path.join(roomInMemory() ?? os.tmpdir(), 'lectern-guide-'));
  chmodSync(root, 0o755); // started by root, the database runs under an account that must get in
  const folder = path.join(root, 'checkout');
  const home = path.join(root, 'home');
  const temporary = path.join(root, 'tmp');
  makeView(folder);
  mkdirSync(home);
  mkdirSync(temporary);
  const isInstalled = blocks.some(({ kind }) => kind === 'install');
  const shell = startShell({
    folder,
    files: root,
    withNpx: isInstalled,
    env: {
      PATH: process.env.PATH,
      HOME: home,
      TMPDIR: temporary,
      PORT: port,
      npm_config_offline: 'true',
      npm_config_update_notifier: 'false',
    },
  });
  const programs = createPrograms(blocks, { folder, url: `http://127.0.0.1:${port}` });
  // A page that has Lectern installed starts it, too; one that makes a data folder of its own has no use for another.
  let hasServer = isInstalled;
  const counts = { run: 0, parsed: 0 };

  /** SQL with values that readers fill in, in capitals, from the variables of the shell that have their names. */
  async function fillIn(block: Block): Promise<Block> {
    let { text } = block;
    for (const [name] of text.matchAll(/(?<=')[A-Z][A-Z_]+(?=')/g)) {
      const value = await shell.run({ ...block, text: `printf %s "$${name}"\n` });
      if (!value) throw new Error(`${page}:${block.line}: no command before has set ${name}`);
      text = text.replaceAll(name, () => value);
    }
    return { ...block, text };
  }

  async function runBlock(block: Block): Promise<string> {
    hasServer ||= /\bDATA_DIR=/.test(block.text);
    if (!hasServer) await shell.run({ page, line: 2, text: 'node bin/lectern.js serve', next: '' });
    hasServer = true;
    switch (block.kind) {
      case 'file':
        writeFileSync(path.join(folder, block.fileName!), block.text);
        return '';
      case 'program':
        return programs.run(block, shell.env);
      case 'statement':
        return runStatement(await fillIn(block), { folder, env: shell.env });
      default:
        checkCommands(block);
        return shell.run(block);
    }
  }

  try {
    for (const block of blocks) {
      if (block.kind === 'output') continue;
      if (block.kind === 'install') checkInstallation(block);
      else if (block.kind === 'parsed') await checkParsed(block);
      else {
        const printed = await runBlock(block);
        if (process.env.GUIDE_PAGE) console.log(`${page}:${block.line}\n${block.text}\n${printed}`);
        expectShape(block, printed);
      }
      counts[block.kind === 'install' || block.kind === 'parsed' ? 'parsed' : 'run']++;
    }
    return counts;
  } finally {
    await programs.end();
    await shell.end();
    await rm(root, REMOVAL);
  }
}
