/** On whose behalf something is done. */
export interface Actor {
  /** The user that the caller names in `X-User-Id`. */
  userId: string | undefined;
}
