import { parseHTML } from 'linkedom';
import { SaxesParser, type SaxesTagPlain } from 'saxes';

/** Which text of an XML file counts, by the names of elements without prefix. */
export interface TextRules {
  /** Only text within these counts; default: all. */
  only?: ReadonlySet<string>;
  /** Within these nothing counts. */
  skipped?: ReadonlySet<string>;
  /** Text within these is allowed and not required. */
  allowed?: ReadonlySet<string>;
  /** From an element with these attributes to the end of its parent of this name, text is allowed and not required. */
  allowedRest?: { of: string; from: (name: string, attributes: Record<string, string>) => boolean };
  /** Whether words end where an element of this name begins or ends. */
  divides: (name: string) => boolean;
  /** Attributes whose text is allowed. */
  attributes?: readonly string[];
}

export interface XmlText {
  required: string;
  allowed: string;
}

/** @throws Error for XML that is not well-formed */
export function readXmlText(xml: string, rules: TextRules): XmlText {
  const texts = { required: '', allowed: '' };
  const depth = { only: 0, skipped: 0, allowed: 0 };
  let isRestAllowed = false;
  const parser = new SaxesParser();
  const enter = (name: string, step: 1 | -1) => {
    if (rules.only?.has(name)) depth.only += step;
    if (rules.skipped?.has(name)) depth.skipped += step;
    if (rules.allowed?.has(name)) depth.allowed += step;
    if (rules.divides(name)) add(' ');
  };
  const add = (text: string) => {
    texts[isRestAllowed || depth.allowed > 0 ? 'allowed' : 'required'] += text;
  };
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }: SaxesTagPlain) => {
    enter(localName(name), 1);
    isRestAllowed ||= rules.allowedRest?.from(localName(name), attributes) ?? false;
    for (const attribute of rules.attributes ?? []) texts.allowed += ` ${attributes[attribute] ?? ''} `;
  });
  parser.on('closetag', ({ name }) => {
    enter(localName(name), -1);
    if (localName(name) === rules.allowedRest?.of) isRestAllowed = false;
  });
  const onText = (text: string) => {
    if (depth.skipped === 0 && (!rules.only || depth.only > 0)) add(text);
  };
  parser.on('text', onText);
  parser.on('cdata', onText);
  parser.write(replaceNamedEntities(xml)).close();
  return texts;
}

export function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

const XML_ENTITIES = new Set(['amp', 'lt', 'gt', 'quot', 'apos']);

/** HTML's entities, which an XHTML file takes from a DTD. */
function replaceNamedEntities(xml: string): string {
  return xml.replace(/&([A-Za-z][A-Za-z0-9]*);/g, (entity, name: string) =>
    XML_ENTITIES.has(name)
      ? entity
      : (parseHTML(`<p>${entity}</p>`).document.querySelector('p')?.textContent ?? ' '),
  );
}
