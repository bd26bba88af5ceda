import type { Services } from '../../routers/index.js';
import { messagesToAppend } from '../../services/conversations/messages.schema.js';

const TENANT = 'acme';
const UNIT = 'support';

/** Topic, question and answer. */
const CONVERSATIONS = [
  [
    'Invoice 2204',
    'Our invoice 2204 has last year’s address on it. Can you send a new one?',
    'I have changed the address. The corrected invoice is on its way to accounting@acme.example.',
  ],
  [
    '更换送货时间',
    '周五没有人在办公室，能改到下周一送货吗？',
    '可以，已改为下周一上午九点到十二点之间送达。',
  ],
] as const;

/** Adds conversations of another tenant, which users of that one see alone. */
export async function addSecondTenant({ messages }: Pick<Services, 'messages'>): Promise<void> {
  for (const [place, [topic, question, answer]] of CONVERSATIONS.entries()) {
    const request = messagesToAppend.parse({
      scope: { tenantId: TENANT, tenantUnitId: UNIT },
      conversation: { topic },
      messages: [
        { id: `acme-question-${place}`, messageFrom: 'user', content: question },
        { id: `acme-answer-${place}`, messageFrom: 'agent', content: answer },
      ],
      status: 'succeeded',
    });
    await messages.append(request, { userId: 'support-agent' }, undefined);
  }
}
