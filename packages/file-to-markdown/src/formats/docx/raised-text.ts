const RAISED = new Map(zip('0123456789+-−=()', '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾'));
const LOWERED = new Map(zip('0123456789+-−=()', '₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎'));

/** Raised or lowered digits, which would otherwise read as one number with what is before them: `10⁷`, `H₂O`. */
export function raisedText(text: string, position: string | undefined): string {
  const characters = position === 'superscript' ? RAISED : position === 'subscript' ? LOWERED : undefined;
  if (!characters) return text;
  const written = [...text].map((character) => characters.get(character));
  return written.every((character) => character !== undefined) ? written.join('') : text;
}

function zip(from: string, to: string): [string, string][] {
  const signs = [...to];
  return [...from].map((character, index) => [character, signs[index] as string]);
}
