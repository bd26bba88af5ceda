/** A name without its prefix, of which programs choose any. */
export const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/** The local name of an attribute; `r:id` keeps its prefix, as it names a relation and `id` something else. */
export const attributeName = (name: string): string => (name === 'r:id' ? name : localName(name));
