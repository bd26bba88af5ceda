import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { AgentId } from '../../common/conversations/agent-id';
import { useFormat, useMessages } from '../../language/language';
import { Cell, DataTable, NumberHeading } from '../../ui/data-table';
import { messages } from './messages';
import type { ConversationDays } from './use-overview';

/** What conversations of each agent come to. Their number leads to the list of those. */
export function AgentTable({ data: { agents, otherAgents } }: { data: ConversationDays }) {
  const t = useMessages(messages).days;
  const format = useFormat();
  const numbers = [t.conversations, t.messages, t.tokens, t.up, t.down, t.firstAnswer];
  return (
    <DataTable
      caption={t.byAgent}
      columns={[t.agentId, ...numbers.map((title) => <NumberHeading key={title} title={title} />)]}
    >
      {agents.map(({ agentId, ...numbers }) => (
        <Row
          key={agentId}
          name={<AgentId id={agentId} />}
          numbers={numbers}
          feedback={(count, feedback) => (
            <Link to="/conversations" search={(now) => ({ ...now, agent: agentId, feedback })}>
              {count}
            </Link>
          )}
        >
          <Link to="/conversations" search={(now) => ({ ...now, agent: agentId })}>
            {format.count(numbers.conversations)}
          </Link>
        </Row>
      ))}
      {otherAgents && (
        <Row name={t.others} numbers={otherAgents}>
          {format.count(otherAgents.conversations)}
        </Row>
      )}
    </DataTable>
  );
}

interface RowProps {
  name: ReactNode;
  numbers: ConversationDays['total'];
  /** The number of conversations. */
  children: ReactNode;
  /** Leads from how often there was feedback to the list of those conversations. */
  feedback?: (count: string, feedback: 'up' | 'down') => ReactNode;
}

function Row({ name, numbers, children, feedback = (count) => count }: RowProps) {
  const t = useMessages(messages).days;
  const format = useFormat();
  const { userMessages, agentMessages, totalTokens, up, down, firstAnswers } = numbers;
  return (
    <tr>
      <Cell kind="wide">{name}</Cell>
      <Cell kind="number" label={t.conversations}>
        {children}
      </Cell>
      <Cell kind="number" label={t.messages}>
        {format.count(userMessages + agentMessages)}
      </Cell>
      <Cell kind="number" label={t.tokens}>
        {format.count(totalTokens)}
      </Cell>
      <Cell kind="number" label={t.up}>
        {up > 0 ? feedback(format.count(up), 'up') : format.count(up)}
      </Cell>
      <Cell kind="number" label={t.down}>
        {down > 0 ? feedback(format.count(down), 'down') : format.count(down)}
      </Cell>
      <Cell kind="number" label={t.firstAnswer}>
        {firstAnswers.medianMs === null ? '–' : format.duration(firstAnswers.medianMs)}
      </Cell>
    </tr>
  );
}
