import { formatSession, parseSession, type SessionParts } from '../session-token.js';

/** What the session of a person begins with; those of API keys have no such part. */
const PREFIX = 'user.';

/** Whether a session is that of a person whom a provider has signed in. */
export const isUserSession = (text: string): boolean => text.startsWith(PREFIX);

export const formatUserSession = (parts: SessionParts): string => PREFIX + formatSession(parts);

/** @returns undefined if the form is wrong */
export const parseUserSession = (text: string): SessionParts | undefined =>
  isUserSession(text) ? parseSession(text.slice(PREFIX.length)) : undefined;
