/** Calls `visit` with every node below a value of the parser, and the key at which it stands. */
export function forEachNode(value: unknown, visit: (key: string, node: object) => void): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, node] of Object.entries(value)) {
    if (typeof node !== 'object' || node === null) continue;
    visit(key, node);
    forEachNode(node, visit);
  }
}
