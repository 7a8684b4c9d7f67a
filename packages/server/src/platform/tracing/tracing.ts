import type { IncomingHttpHeaders } from "node:http";

/** What a span tells beside its times: never a secret, a body or a query string. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** Names the active span in log lines. */
export interface TraceIds {
  trace_id: string;
  span_id: string;
}

/** A piece of work of a trace, which is exported once it has ended. */
export interface TracedSpan {
  readonly ids: TraceIds;
  set(attributes: Attributes): void;
  /** Marks it as failed; `kind` is a class of failures, not a message, which could quote what was sent. */
  fail(kind: string): void;
  end(): void;
  /** Runs `work` so that what is traced within it, and its log lines, belong to this span. */
  within<Result>(work: () => Result): Result;
  /** The headers that tell a receiver of this span (W3C Trace Context). */
  headers(): Record<string, string>;
}

/** Traces by OpenTelemetry. The service has none unless a collector is configured. */
export interface Tracing {
  /** Begins the span of a call; it belongs to its caller's trace if the headers name one. */
  call(name: string, headers: IncomingHttpHeaders, attributes: Attributes): TracedSpan;
  /** Begins the span of a part of the active span's work; null when none is active. */
  part(name: string, attributes: Attributes): TracedSpan | null;
  /** Begins a trace of its own, of a call to somebody else. */
  outgoing(name: string, attributes: Attributes): TracedSpan;
  /** The active span; null when none is. */
  active(): TraceIds | null;
  /** Returns `work` as it would run now, whoever runs it later. */
  bound<Args extends unknown[], Result>(work: (...args: Args) => Result): (...args: Args) => Result;
  /** Exports what has ended, for a short time. */
  close(): Promise<void>;
}
