/** A white picture of 8 by 8 pixels, for which an engine is asked whether it reads pictures. */
export const TINY_PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAAAAADhZOFXAAAAEElEQVR42mP8zwABTAwUMQBJQQEPkWFcdwAAAABJRU5ErkJggg==',
  'base64',
);
