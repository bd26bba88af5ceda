/**
 * Makes a stream fit to be subscribed to. tRPC asks for an item while the one before is still being sent, and looks at
 * what became of it only then; a client that leaves in between would end the process with a rejection that nobody
 * has taken notice of.
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
