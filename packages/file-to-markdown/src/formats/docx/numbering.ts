import { childElements, elementAt, type XmlElement } from '../../shared/xml/xml-tree.js';
import { isOn, type ListReference, type Styles } from './styles.js';

export interface Level {
  start: number;
  /** As in `decimal` or `bullet`. */
  format: string;
  /** With `%1` for the number of the first level. */
  text: string;
  /** Counts again after a paragraph of a level up to this one, from 1; 0: never. */
  restart: number | undefined;
  /** All numbers are decimal. */
  isLegal: boolean;
  styleId: string | undefined;
}

export interface List {
  id: string;
  /** Lists with the same levels count on together. */
  definition: string;
  levels: Level[];
  /** Levels at which this list starts anew, with the number. */
  starts: Map<number, number>;
}

export const MAX_LEVELS = 9;
/** Longer chains of links are circles. */
const MAX_LINKS = 5;

/** The lists of a document, by the id that paragraphs refer to. */
export class Numbering {
  readonly #lists = new Map<string, XmlElement>();
  readonly #definitions = new Map<string, XmlElement>();
  readonly #read = new Map<string, List | undefined>();

  constructor(
    root: XmlElement | undefined,
    private readonly styles: Styles,
  ) {
    for (const element of root ? childElements(root) : []) {
      if (element.name === 'num') this.#lists.set(element.attributes.numId ?? '', element);
      if (element.name === 'abstractNum')
        this.#definitions.set(element.attributes.abstractNumId ?? '', element);
    }
  }

  /** The list and the level in it, from 0, of a paragraph. */
  find({ id, level }: ListReference, styleId: string | undefined): { list: List; level: number } | undefined {
    const list = id === undefined ? undefined : this.#list(id);
    if (!list) return undefined;
    const ofStyle = styleId === undefined ? -1 : list.levels.findIndex((one) => one.styleId === styleId);
    const found = level ?? Math.max(0, ofStyle);
    return Number.isInteger(found) && list.levels[found] ? { list, level: found } : undefined;
  }

  #list(id: string): List | undefined {
    if (!this.#read.has(id)) this.#read.set(id, this.#readList(id));
    return this.#read.get(id);
  }

  #readList(id: string): List | undefined {
    const list = this.#lists.get(id);
    const definition = list && this.#definitionOf(list);
    if (!definition) return undefined;
    const levels = childElements(definition, 'lvl');
    const byLevel = new Map(levels.map((level, index) => [Number(level.attributes.ilvl ?? index), level]));
    const starts = new Map<number, number>();
    for (const override of childElements(list, 'lvlOverride')) {
      const at = Number(override.attributes.ilvl);
      const start = Number(elementAt(override, 'startOverride')?.attributes.val);
      const replaced = elementAt(override, 'lvl');
      if (replaced) byLevel.set(at, replaced);
      if (Number.isInteger(start) && elementAt(override, 'startOverride')) starts.set(at, start);
    }
    return {
      id,
      definition: definition.attributes.abstractNumId ?? '',
      levels: Array.from({ length: MAX_LEVELS }, (_, index) => readLevel(byLevel.get(index))),
      starts,
    };
  }

  /** Where a list only names a style of lists, the definition is that of this style's own list. */
  #definitionOf(list: XmlElement): XmlElement | undefined {
    let next: XmlElement | undefined = list;
    for (let links = 0; next && links < MAX_LINKS; links++) {
      const definition = this.#definitions.get(elementAt(next, 'abstractNumId')?.attributes.val ?? '');
      const link = elementAt(definition, 'numStyleLink')?.attributes.val;
      if (link === undefined) return definition;
      next = this.#lists.get(this.styles.listOf(link) ?? '');
    }
    return undefined;
  }
}

function readLevel(level: XmlElement | undefined): Level {
  const value = (name: string) => elementAt(level, name)?.attributes.val;
  const legal = elementAt(level, 'isLgl');
  const restart = value('lvlRestart');
  return {
    start: Number(value('start') ?? 0) || 0,
    format: level ? (value('numFmt') ?? 'decimal') : 'none',
    text: value('lvlText') ?? '',
    restart: restart === undefined ? undefined : Number(restart),
    isLegal: legal !== undefined && isOn(legal),
    styleId: value('pStyle'),
  };
}
