import type { Response } from 'express';
import type { ErrorDetail } from '../errors/error-body.js';
import { toRestError } from '../rest-facade/errors.js';

/** What is wrong with a request, in the words of a protocol. */
export interface Failure {
  status: number;
  /** As in REST. */
  type: string;
  /** What is wrong, with its place if it has one. */
  message: string;
  /** The place in the request; undefined where it is none. */
  place: string | undefined;
}

/** The name of a place: those of procedures' inputs have other names in a protocol. */
export type NamePlace = (loc: ErrorDetail['loc']) => string | undefined;

/** The first fault of a request. Bad input is 400, as these protocols have it. */
export function describeFailure(thrown: unknown, res: Response, namePlace: NamePlace): Failure {
  const { status, detail } = toRestError(thrown, res.locals.input ?? {});
  const [{ type, loc, msg } = { type: 'internal_server_error', loc: [], msg: 'Bad request.' }] = detail;
  // The query names them without.
  const place = namePlace(loc[0] === 'scope' ? loc.slice(1) : loc);
  const isInput = status === 422;
  return {
    status: isInput ? 400 : status,
    type,
    message: isInput && place !== undefined ? `${place}: ${msg}` : msg,
    place,
  };
}
