/** Longest token that is read. */
export const MAX_TOKEN_LENGTH = 8_192;

/** A signed token in its compact form; API keys have no dots. */
const PATTERN = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/** Whether a credential has the form of a JSON Web Token. */
export const isToken = (text: string): boolean => PATTERN.test(text);
