import { corruptFileError } from '../../errors.js';
import { EVEN_PAGE_BREAK, ODD_PAGE_BREAK, PAGE_BREAK } from '../../shared/text/page-breaks.js';
import { applyProperty } from './apply-property.js';
import { decodeBytes, decodeSymbol } from './code-pages.js';
import { DocumentDefinitions } from './definitions.js';
import { CHARACTER_WORDS, READ_DESTINATIONS, SKIPPED_DESTINATIONS } from './destinations.js';
import { type GroupState, initialState, PLAIN_PARAGRAPH } from './state.js';
import { TextBuilder } from './text-builder.js';
import { type Token, tokenize } from './tokenize.js';

const MAX_DEPTH = 2000;
const MAX_RUN = 2 ** 20;
/** How a section begins. */
const SECTION_BREAKS = new Map([
  ['sectd', PAGE_BREAK],
  ['sbkpage', PAGE_BREAK],
  ['sbkodd', ODD_PAGE_BREAK],
  ['sbkeven', EVEN_PAGE_BREAK],
  ['sbknone', ''],
  ['sbkcol', ''],
]);

/** Reads an RTF file into Markdown with page breaks marked. */
export function readRtf(bytes: Uint8Array): { markdown: string; title: string } {
  const reader = new RtfReader();
  for (const token of tokenize(bytes)) reader.read(token);
  return reader.finish();
}

class RtfReader {
  readonly #definitions = new DocumentDefinitions();
  readonly #body = new TextBuilder();
  readonly #outer: GroupState[] = [];
  #state = initialState(this.#body);
  #title = '';
  #notes = 0;
  /** Text in the current code page that is not decoded yet; a character may be several bytes. */
  #run: number[] = [];
  /** The group may be passed over by readers that do not know what comes next. */
  #isOptional = false;
  #fallbacksToSkip = 0;
  #sectionBreak = PAGE_BREAK;
  #endsSection = false;

  read(token: Token): void {
    if (token.type === 'byte') {
      this.#readByte(token.byte);
      return;
    }
    this.#endRun();
    this.#fallbacksToSkip = 0;
    if (token.type === 'open') this.#open();
    else if (token.type === 'close') this.#close();
    else this.#readControl(token.name, token.value);
    this.#isOptional = token.type === 'control' && token.name === '*';
  }

  finish(): { markdown: string; title: string } {
    this.#endRun();
    while (this.#outer.length > 0) this.#close();
    return { markdown: this.#body.finish(), title: this.#title };
  }

  #readByte(byte: number): void {
    if (this.#fallbacksToSkip > 0) this.#fallbacksToSkip--;
    else if (this.#state.out && !this.#state.isHidden) this.#run.push(byte);
    if (byte === 0x20 && this.#run.length > MAX_RUN) this.#endRun();
  }

  #endRun(): void {
    if (this.#run.length === 0) return;
    this.#emit(decodeBytes(this.#run, this.#definitions.encodingOf(this.#state.font)));
    this.#run = [];
  }

  #emit(text: string): void {
    const { out, isHidden } = this.#state;
    if (!out || isHidden) return;
    if (this.#endsSection && out === this.#body) {
      this.#endsSection = false;
      out.add(this.#sectionBreak);
    }
    out.add(text);
  }

  #open(): void {
    if (this.#outer.length > MAX_DEPTH) throw corruptFileError('RTF document');
    this.#outer.push(this.#state);
    this.#state = { ...this.#state };
  }

  #close(): void {
    const inner = this.#state;
    this.#state = this.#outer.pop() ?? inner;
    if (inner.out && inner.out !== this.#state.out) inner.onEnd?.(inner.out.finish());
  }

  #readControl(name: string, value: number | undefined): void {
    if (this.#openDestination(name)) return;
    if (SKIPPED_DESTINATIONS.has(name) || (this.#isOptional && !READ_DESTINATIONS.has(name)))
      this.#state.out = undefined;
    else if (!this.#readCharacter(name, value) && !this.#endBlock(name)) {
      applyProperty(name, value, this.#state, this.#definitions);
    }
  }

  /** Groups whose text goes elsewhere; true where nothing else is to be done. */
  #openDestination(name: string): boolean {
    const state = this.#state;
    const { out, shapeOut } = state;
    if (name === 'fonttbl') state.table = 'fonts';
    else if (name === 'stylesheet') state.table = 'styles';
    else if (name === 'shpinst') state.shapeOut = out;
    else if (name === 'upr') state.unicodeOut = out;
    else if (name === 'ud') state.out = state.unicodeOut;
    else if (name === 'title') this.#capture(true, (text) => (this.#title = text));
    else if (name === 'shptxt') this.#capture(!!shapeOut, (text) => shapeOut?.attach(text));
    else if (name === 'footnote') this.#capture(!!out, (text) => out?.attach(`[${this.#notes}] ${text}`));
    else if (name === 'listtext' || name === 'pntext') this.#capture(!!out, (text) => out?.setBullet(text));
    return ['ud', 'title', 'shptxt', 'footnote', 'listtext', 'pntext'].includes(name);
  }

  /** Collects the text of a group by itself, unless what is around it is passed over. */
  #capture(isRead: boolean, onEnd: (text: string) => void): void {
    Object.assign(this.#state, PLAIN_PARAGRAPH, { out: isRead ? new TextBuilder() : undefined, onEnd });
  }

  #readCharacter(name: string, value = 0): boolean {
    const character = CHARACTER_WORDS.get(name);
    if (character !== undefined) this.#emit(character);
    else if (name === 'u') {
      const code = value & 0xffff;
      // Word moves the characters of fonts of symbols here.
      this.#emit(code >= 0xf000 && code <= 0xf0ff ? decodeSymbol(code) : String.fromCharCode(code));
      this.#fallbacksToSkip = this.#state.fallbackLength;
    } else if (name === 'chftn') {
      // In the note itself its number is put before the text anyway.
      if (this.#state.out === this.#body) this.#emit(`[${++this.#notes}]`);
    } else return false;
    return true;
  }

  #endBlock(name: string): boolean {
    const { out } = this.#state;
    const sectionBreak = SECTION_BREAKS.get(name);
    if (sectionBreak !== undefined) this.#sectionBreak = sectionBreak;
    else if (name === 'par') out?.endParagraph(this.#state);
    else if (name === 'cell') out?.endCell();
    else if (name === 'row') out?.endRow();
    else if (name === 'sect') {
      out?.endParagraph({ ...this.#state, inTable: false });
      this.#endsSection = true;
    } else return false;
    return true;
  }
}
