/**
 * An optional condition, for `$call`: the query as it is where the value is undefined.
 *
 * @example query.$call(whereDefined(agentId, (q, id) => q.where('agentId', '=', id)))
 */
export const whereDefined =
  <Query, Value>(value: Value | undefined, where: (query: Query, value: Value) => Query) =>
  (query: Query): Query =>
    value === undefined ? query : where(query, value);
