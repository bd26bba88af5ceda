import { hasPossibleOrder, type RacedAction } from './possible-order.js';
import type { Called } from './send-call.js';

/** A record in a state. */
export interface Prepared<State, Subject> {
  before: State;
  subject: Subject;
}

export interface PairAction<State, Subject> extends RacedAction<State> {
  send(subject: Subject): Promise<Called>;
  /** Two of them say nothing together. */
  isRead?: boolean;
}

interface Pairs<State, Subject> {
  /** Names of the states that a record is brought into. */
  states: readonly string[];
  prepare(state: string): Promise<Prepared<State, Subject>>;
  actions: PairAction<State, Subject>[];
  /** What of the record is there at the end. */
  readEnd(subject: Subject): Promise<State>;
}

const AT_A_TIME = 5;

/**
 * Has each pair of actions happen at the same moment, on a record of its own in each state.
 *
 * @returns what answered or ended as in no order of the two
 */
export async function racePairs<State, Subject>(pairs: Pairs<State, Subject>): Promise<string[]> {
  const { states, prepare, actions, readEnd } = pairs;
  const queue = states.flatMap((state) =>
    actions.flatMap((one, place) =>
      actions
        .slice(place)
        .filter((other) => !(one.isRead && other.isRead))
        .map((other) => ({ state, pair: [one, other] })),
    ),
  );
  const wrong: string[] = [];
  const runSome = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const { state, pair } = next;
      const { before, subject } = await prepare(state);
      const answered = await Promise.all(
        pair.map(async (action) => ({ action, ...(await action.send(subject)) })),
      );
      const end = await readEnd(subject);
      const isEnd = (possible: State) => JSON.stringify(possible) === JSON.stringify(end);
      if (hasPossibleOrder(before, answered, isEnd)) continue;
      const answers = answered.map(
        ({ action, status, message }) => `${action.name} ${status} ${message ?? ''}`,
      );
      wrong.push(`${state}: ${answers.join(', ')} → ${JSON.stringify(end)}`);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, runSome));
  return wrong;
}
