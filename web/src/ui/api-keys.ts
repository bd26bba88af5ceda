/** As `src/auth/api-key-format.ts` makes them, or the beginning of one: fields cut what is too long for them. */
const API_KEY = /lectern_[0-9A-Za-z]{12}_[0-9A-Za-z]{20}/;

/** Whether a text has an API key of Lectern in it. */
export const holdsApiKey = (text: string): boolean => API_KEY.test(text);
