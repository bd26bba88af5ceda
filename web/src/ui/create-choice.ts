import { createStore } from './store';

/**
 * How the console looks: kept in this browser, and an attribute of the page that styles read. theme.js sets it before the
 * first paint.
 *
 * @param values the first is the default, for which the page has no attribute
 * @returns a hook with the value and how to change it, which all that call it see
 */
export function createChoice<Value extends string>(name: string, values: readonly [Value, ...Value[]]) {
  const [standard] = values;
  const { dataset } = document.documentElement;
  const store = createStore(values.find((value) => value === dataset[name]) ?? standard);
  const choose = (value: Value) => {
    if (value === standard) delete dataset[name];
    else dataset[name] = value;
    try {
      localStorage.setItem(`lectern.${name}`, value);
    } catch {
      // It counts until the page is closed.
    }
    store.set(value);
  };
  return (): [value: Value, choose: (value: Value) => void] => [store.use(), choose];
}
