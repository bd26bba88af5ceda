import type { TRPC_ERROR_CODE_KEY, TRPC_ERROR_CODE_NUMBER } from '@trpc/server';

/** One thing that is wrong with a request. REST answers carry the same three fields. */
export interface ErrorDetail {
  type: string;
  loc: (string | number)[];
  msg: string;
}

/** How errors reach front ends. */
export interface ErrorShape {
  code: TRPC_ERROR_CODE_NUMBER;
  message: string;
  data: {
    code: TRPC_ERROR_CODE_KEY;
    httpStatus: number;
    path: string | undefined;
    detail: ErrorDetail[];
  };
}
