import { childElements, elementAt, textContent, type XmlElement } from '../../shared/xml/xml-tree.js';

export interface Shape {
  element: XmlElement;
  /** What the layout has in this place: `title`, `body`...; undefined for a shape of the slide's own. */
  placeholder: string | undefined;
  /** What somebody wrote about it for those who cannot see it. */
  alternativeText: string | undefined;
}

const SHAPES = ['sp', 'graphicFrame', 'pic'];

/** Shapes with text, tables, drawings and pictures in their order, out of their groups. */
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
    return SHAPES.includes(element.name) ? [toShape(element)] : [];
  });
}

export function isPlaceholder({ placeholder }: Shape, ...types: string[]): boolean {
  return placeholder !== undefined && types.includes(placeholder);
}

/** Footers, dates and the like: the same on every slide. In the place of a date may stand something else. */
export function isFilledIn(shape: Shape): boolean {
  if (isPlaceholder(shape, 'dt')) return /\p{N}/u.test(textContent(elementAt(shape.element, 'txBody')));
  return isPlaceholder(shape, 'ftr', 'hdr', 'sldNum');
}

function toShape(element: XmlElement): Shape {
  const properties = childElements(element).find(({ name }) => name.startsWith('nv'));
  const mark = elementAt(properties, 'nvPr', 'ph');
  return {
    element,
    placeholder: mark && (mark.attributes.type ?? 'obj'),
    alternativeText: elementAt(properties, 'cNvPr')?.attributes.descr,
  };
}
