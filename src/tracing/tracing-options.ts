export type ExporterName = 'console' | 'http/json' | 'http/protobuf';

/** What the standard variables ask for, where they ask for traces. */
export interface TracingOptions {
  exporters: ExporterName[];
  /** Whether W3C Trace Context is among the propagators. */
  propagates: boolean;
}
