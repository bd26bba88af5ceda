/** A user whose erasure was acknowledged. */
export interface ErasedUser {
  userId: string;
  /** What the user had, whose events are erased too. */
  conversationId: string;
}
