import type { TRPC_ERROR_CODE_KEY, TRPC_ERROR_CODE_NUMBER } from '@trpc/server';
import type { ErrorDetail } from '../errors/error-body.js';

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
