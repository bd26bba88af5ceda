import type { XmlElement } from '../../shared/xml/xml-tree.js';
import type { TextBudget } from '../../text-budget.js';
import type { Styles } from './styles.js';

/** What reads the inside of an element; lists and tables hold anything that a document holds. */
export interface OdtReader {
  styles: Styles;
  budget: TextBudget;
  blocks(parent: XmlElement): string[];
  paragraph(element: XmlElement): string[];
}
