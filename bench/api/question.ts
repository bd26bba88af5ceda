/** A line of the benchmark's table: the service beside a rival that gives the same answers. */
export interface Comparison {
  /** What is measured, such as "GET of a conversation". */
  what: string;
  /** What it is compared with, such as "the same route by hand". */
  rival: string;
  /** Of both numbers, such as "µs of CPU a request". */
  unit: string;
  ours: number;
  theirs: number;
  /** The median of the rounds' ratios of ours to theirs. */
  ratio: number;
  /** Of the ratio, or of what the service reaches by itself. */
  target?: ({ atMost: number } | { atLeast: number }) & { of?: 'ours' };
}

export interface BenchmarkOptions {
  /** Requests of each kind in a round. */
  requests: number;
  /** Rounds of A B A B. */
  rounds: number;
  /** Rows of the largest corpora as a share of their full size, 1 to 100 per cent. */
  percent: number;
  /** A folder where the largest corpora stay, and are found again; none if empty. */
  data: string;
  log: (line: string) => void;
}

/** A question that a file of this folder answers by measuring. */
export interface Question {
  /** As named on the command line. */
  name: string;
  title: string;
  /** @throws when a rival gives another answer than the service */
  measure(options: BenchmarkOptions): Promise<Comparison[]>;
}

export const isMet = ({ ours, ratio, target }: Comparison): boolean | undefined => {
  if (!target) return undefined;
  const value = target.of === 'ours' ? ours : ratio;
  return 'atMost' in target ? value <= target.atMost : value >= target.atLeast;
};
