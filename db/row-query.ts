import pg from 'pg';
import { camelCaseNames } from './camel-case-names.js';
import { asText, parserFor } from './column-parsers.js';

type Values = readonly (string | null)[];
type MakeRow = (values: Values) => object;
interface Field {
  name: string;
  dataTypeID: number;
}

/** What pg declares nowhere. */
interface Internals {
  /** Begins another result where a text has several statements. */
  _checkForMultirow(): void;
  _result: { fields: Field[]; rows: object[] };
  /** Fails the query once the server has sent all. */
  _canceledDueToError: unknown;
}

type Callback = (error: Error | undefined, result: unknown) => void;

/** Of which functions are remembered. */
const MAX_ROW_TYPES = 1_000;
const makers = new Map<string, MakeRow>();

/**
 * A query whose rows have names in camel case. Rows of the same columns are made by one function that is compiled once: pg
 * itself, which copies an object of their names and sets each, takes several times as long for rows of dozens of columns,
 * and Kysely's plugin copies each row once more.
 */
export class RowQuery extends pg.Query {
  declare private makeRow: MakeRow;
  declare name: string | undefined;

  /** @param name under which the connection prepares the statement; none if undefined */
  constructor(name: string | undefined, text: string, values: unknown[], callback: Callback) {
    super(text, values, callback);
    this.name = name;
  }

  /** Called by pg. */
  handleRowDescription({ fields }: { fields: Field[] }): void {
    const internals = this as unknown as Internals;
    internals._checkForMultirow();
    internals._result.fields = fields;
    this.makeRow = makerOf(fields);
  }

  /** Called by pg. */
  handleDataRow({ fields }: { fields: Values }): void {
    const internals = this as unknown as Internals;
    if (internals._canceledDueToError) return;
    try {
      internals._result.rows.push(this.makeRow(fields));
    } catch (error) {
      internals._canceledDueToError = error;
    }
  }
}

function makerOf(fields: Field[]): MakeRow {
  const rowType = fields.map(({ name, dataTypeID }) => `${name} ${dataTypeID}`).join();
  let maker = makers.get(rowType);
  if (!maker) {
    maker = compileMaker(fields);
    if (makers.size === MAX_ROW_TYPES) makers.clear();
    makers.set(rowType, maker);
  }
  return maker;
}

function compileMaker(fields: Field[]): MakeRow {
  const parsers = fields.map(({ dataTypeID }) => parserFor(dataTypeID));
  const properties = fields.map(({ name }, i) => {
    const value = parsers[i] === asText ? `v[${i}]` : `v[${i}] === null ? null : parsers[${i}](v[${i}])`;
    return `${JSON.stringify(camelCaseNames.camelCase(name))}: ${value}`;
  });
  return new Function('parsers', `return (v) => ({ ${properties.join(', ')} })`)(parsers);
}
