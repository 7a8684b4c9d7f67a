import type { TestEvent } from "node:test/reporters";
import { inspect } from "node:util";

/** What a process is told. */
export interface Order {
  file: string;
  namePattern?: string | undefined;
  /** No file comes after it, so that it need not leave the process as it found it. */
  isAlone: boolean;
}

/** Asks for what keeps the process alive. */
export const WHAT_IS_OPEN = "what is open";

/** What it answers: events, what keeps it alive, and at the end what is wrong with the file as a whole. */
export type Report = { event: WiredEvent } | { open: string } | FileEnd;

/** What it says when a file is over: the processor time is that of its ended children, too. */
export interface FileEnd {
  faults: string[];
  residentBytes: number;
  processorMs: number;
}

/** An event as JSON. */
export interface WiredEvent {
  type: string;
  data: Record<string, unknown> & { details?: Record<string, unknown> };
}

/** Errors hold what cannot leave a process: they travel as the text in which they would be shown. */
export function toWire({ type, data }: TestEvent): WiredEvent {
  if (type === "test:summary") return { type, data: { success: data.success } };
  if (type !== "test:fail") return { type, data: { ...data } };
  const { error } = data.details;
  const text = { message: error.message, stack: inspect(isOfTheRunner(error) ? error.cause : error) };
  return { type, data: { ...data, details: { ...data.details, error: text } } };
}

/** Its own error only wraps the one that a test threw. */
function isOfTheRunner(error: Error): boolean {
  return "code" in error && error.code === "ERR_TEST_FAILURE" && error.cause !== undefined;
}

/** Restores what {@link toWire} made. */
export function fromWire({ type, data }: WiredEvent): TestEvent {
  const text = data.details?.error;
  const details = text === undefined ? data.details : { ...data.details, error: Object.assign(new Error(), text) };
  return { type, data: { ...data, ...(details && { details }) } } as TestEvent;
}

/** The event of a file that failed as a whole. */
export function fileFailed(file: string, words: string): TestEvent {
  const error = { message: words, stack: words };
  const place = { name: file, file, line: 1, column: 1, nesting: 0, testNumber: 1, testId: -1 };
  return fromWire({ type: "test:fail", data: { ...place, details: { duration_ms: 0, type: "test", error } } });
}
