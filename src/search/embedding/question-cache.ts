export interface QuestionCacheLimits {
  maxQuestions: number;
  maxOfTenant: number;
}

export interface QuestionCache<T> {
  get(tenantId: string, key: string): T | undefined;
  set(tenantId: string, key: string, value: T): void;
  /** Forgets the value, unless another one took its place. */
  delete(tenantId: string, key: string, value: T): void;
}

/**
 * What was used last, for each tenant apart: a value that another tenant had asked for would come so soon that it tells
 * who has asked what. A tenant has a share at most, so that none drops all of the others'.
 */
export function createQuestionCache<T>({ maxQuestions, maxOfTenant }: QuestionCacheLimits): QuestionCache<T> {
  /** Both in the order of their last use. */
  const tenants = new Map<string, Map<string, T>>();
  let size = 0;
  return { get, set, delete: remove };

  function get(tenantId: string, key: string): T | undefined {
    const values = tenants.get(tenantId);
    const value = values?.get(key);
    if (!values || value === undefined) return undefined;
    touch(tenants, tenantId, values);
    touch(values, key, value);
    return value;
  }

  function set(tenantId: string, key: string, value: T): void {
    const values = tenants.get(tenantId) ?? new Map<string, T>();
    touch(tenants, tenantId, values);
    if (!values.has(key)) size++;
    touch(values, key, value);
    if (values.size > maxOfTenant) removeFirst(tenantId, values);
    else if (size > maxQuestions) {
      const [oldest, others] = tenants.entries().next().value as [string, Map<string, T>];
      removeFirst(oldest, others);
    }
  }

  function remove(tenantId: string, key: string, value: T): void {
    const values = tenants.get(tenantId);
    if (values?.get(key) === value) removeKey(tenantId, values as Map<string, T>, key);
  }

  function removeFirst(tenantId: string, values: Map<string, T>): void {
    removeKey(tenantId, values, values.keys().next().value as string);
  }

  function removeKey(tenantId: string, values: Map<string, T>, key: string): void {
    values.delete(key);
    size--;
    if (values.size === 0) tenants.delete(tenantId);
  }
}

/** The last one used is the last to be dropped. */
function touch<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  map.set(key, value);
}
