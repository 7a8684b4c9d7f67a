import type { Placement } from "./machine.ts";
import type { Options } from "./options.ts";

/** What a comparison works with. */
export interface Run {
  options: Options;
  placement: Placement;
  /** What the comparison starts goes on it, and ends with it. */
  opened: AsyncDisposableStack;
  /** Tells the one who waits how far the comparison is. */
  progress(line: string): void;
}
