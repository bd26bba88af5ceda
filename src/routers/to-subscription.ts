/**
 * Adapts a generator for tRPC subscriptions. tRPC requests the next item before it handles the previous one;
 * a disconnect in between would be an unhandled rejection.
 */
export function toSubscription<T>(items: AsyncGenerator<T, void>): AsyncGenerator<T, void> {
  const next = items.next.bind(items);
  items.next = () => {
    const item = next();
    item.catch(() => {});
    return item;
  };
  return items;
}
