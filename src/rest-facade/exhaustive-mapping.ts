import type { Api } from '../routers/index.js';

/** All fields of T, the optional ones too: a mapper with this result that forgets a field does not compile. */
export type AllFields<T> = { [K in keyof Required<T>]: T[K] };

/** Forbids the fields of Given that Shape does not have, also within `scope`. */
export type Exact<Given, Shape> = {
  [K in keyof Given]: K extends keyof Shape
    ? K extends 'scope'
      ? Exact<Given[K], NonNullable<Shape[K]>>
      : Given[K]
    : never;
};

type ExactCall<Call> = Call extends (input: infer Input) => infer Result
  ? <Given extends Input>(input: Given & Exact<Given, Input>) => Result
  : Call;

/**
 * The domain's procedures with exact inputs. An endpoint takes from its request the fields that the domain calls
 * otherwise, and hands on all others with a spread: a documented field that the domain does not know does not compile.
 */
export type ExactApi = {
  [Area in keyof Api]: { [Name in keyof Api[Area]]: ExactCall<Api[Area][Name]> };
};
