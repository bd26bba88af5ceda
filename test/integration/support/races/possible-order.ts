/** What an action may answer in a state, and the state after it. */
export interface Outcome<State> {
  status: number;
  state: State;
}

export interface RacedAction<State> {
  name: string;
  /** All that it may answer in a state; several where it depends on what the test does not know. */
  outcomes(state: State): Outcome<State>[];
}

/** Whether the answers and the end are those of the actions one after another, in any order. */
export function hasPossibleOrder<State>(
  state: State,
  answered: { action: RacedAction<State>; status: number }[],
  isEnd: (state: State) => boolean,
): boolean {
  if (answered.length === 0) return isEnd(state);
  return answered.some(({ action, status }, place) =>
    action
      .outcomes(state)
      .filter((outcome) => outcome.status === status)
      .some((outcome) => hasPossibleOrder(outcome.state, answered.toSpliced(place, 1), isEnd)),
  );
}
