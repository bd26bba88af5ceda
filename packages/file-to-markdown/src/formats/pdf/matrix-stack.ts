import type { OPS } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { IDENTITY, type Matrix, multiply } from './matrix.js';

/** The transformation in force, as the operators of a page change it. */
export class MatrixStack {
  #saved: Matrix[] = [];
  matrix = IDENTITY;

  constructor(private readonly ops: typeof OPS) {}

  /** @param args of the operator, as pdf.js gives them */
  follow(operator: number | undefined, args: readonly unknown[] | null): void {
    const { ops } = this;
    if (operator === ops.save || operator === ops.paintFormXObjectBegin) this.#saved.push(this.matrix);
    if (operator === ops.restore || operator === ops.paintFormXObjectEnd)
      this.matrix = this.#saved.pop() ?? IDENTITY;
    else if (operator === ops.transform) this.matrix = multiply(this.matrix, args as unknown as Matrix);
    else if (operator === ops.paintFormXObjectBegin && args?.[0])
      this.matrix = multiply(this.matrix, args[0] as Matrix);
  }
}
