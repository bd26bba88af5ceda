import { type Actor, authorOf } from '../shared/actor.js';
import type { WriteTransaction } from '../shared/write-transaction.js';
import { resumeErasures } from '../users/resume-erasures.js';
import { auditConversation } from './audit.js';
import type { Conversation, LegalHoldChange } from './conversations.schema.js';
import { lockConversation } from './writes.js';

interface LegalHoldDependencies {
  writeTransaction: WriteTransaction;
  clock: () => Date;
}

/** While a conversation is under a legal hold, nothing deletes it: no retention rule, no erasure, nobody. */
export function createLegalHolds({ writeTransaction, clock }: LegalHoldDependencies) {
  /** Sets the hold, or lifts it: then erasures of the user, which had to leave the conversation, go on. */
  return async function setLegalHold(input: LegalHoldChange, actor: Actor): Promise<Conversation> {
    const { scope, legalHold } = input;
    return writeTransaction({ scope, actor }, async (tx) => {
      const before = await lockConversation(tx, input);
      const wasHeld = before.legalHoldTime !== null;
      if (wasHeld === legalHold) return before;
      const row = await tx
        .updateTable('conversations')
        .set((eb) => ({
          legalHoldTime: legalHold ? clock() : null,
          legalHoldBy: legalHold ? authorOf(actor) : null,
          version: eb('version', '+', 1),
        }))
        .where('tenantId', '=', before.tenantId)
        .where('id', '=', before.id)
        .returningAll()
        .executeTakeFirstOrThrow();
      await auditConversation(tx, row, actor, {
        action: 'conversations.setLegalHold',
        before: { legalHold: wasHeld },
        after: { legalHold },
      });
      if (!legalHold) await resumeErasures(tx, row);
      return row;
    });
  };
}
