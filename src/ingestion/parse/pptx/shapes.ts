import { childElements, elementAt, type XmlElement } from '../xml-tree.js';

export interface Shape {
  element: XmlElement;
  /** What the layout has in this place: `title`, `body`...; undefined for a shape of the slide's own. */
  placeholder: string | undefined;
}

/** Shapes with text, tables and drawings in their order, out of their groups. */
export function shapesOf(tree: XmlElement | undefined): Shape[] {
  if (!tree) return [];
  return childElements(tree).flatMap((element) => {
    if (element.name === 'grpSp') return shapesOf(element);
    // A shape of a newer program, then the same for older ones.
    if (element.name === 'AlternateContent') {
      return (
        childElements(element)
          .map(shapesOf)
          .find(({ length }) => length > 0) ?? []
      );
    }
    if (element.name !== 'sp' && element.name !== 'graphicFrame') return [];
    return [{ element, placeholder: placeholderOf(element) }];
  });
}

export function isPlaceholder({ placeholder }: Shape, ...types: string[]): boolean {
  return placeholder !== undefined && types.includes(placeholder);
}

function placeholderOf(shape: XmlElement): string | undefined {
  const properties = childElements(shape).find(({ name }) => name.startsWith('nv'));
  const mark = elementAt(properties, 'nvPr', 'ph');
  return mark && (mark.attributes.type ?? 'obj');
}
