import { z } from 'zod';

export const MIB = 1024 * 1024;

export const bytes = (fallback: number) =>
  z.coerce.number().int().min(1).max(10_737_418_240).default(fallback);
export const connections = (least: number) => z.coerce.number().int().min(least).max(1_000);
export const seconds = z.coerce.number().int().min(1).max(3_600);
export const milliseconds = z.coerce.number().int().min(10).max(60_000);
export const days = z.coerce.number().int().min(1).max(36_500);
export const port = z.coerce.number().int().min(0).max(65_535);
export const name = z.string().min(1).max(255);

export const serverUrl = z
  .string()
  .regex(/^https?:\/\/./, 'must begin with http:// or https://')
  .refine((url) => URL.canParse(url), 'must be a valid URL')
  // fetch refuses them, and its error quotes them.
  .refine(hasNoPassword, 'must have no user and password: a key has a variable of its own')
  .optional();

/** Entries with commas between them. */
export const listWithDefault = (fallback: string) =>
  z
    .string()
    .default(fallback)
    .transform((text) => text.split(',').flatMap((entry) => entry.trim() || []));
export const list = listWithDefault('');

function hasNoPassword(url: string): boolean {
  const { username = '', password = '' } = URL.canParse(url) ? new URL(url) : {};
  return username === '' && password === '';
}
