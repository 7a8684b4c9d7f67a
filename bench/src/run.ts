import type { MemoryWatch } from "./contenders/memory-watch.ts";
import type { Placement } from "./machine.ts";
import type { Options } from "./options.ts";

/** The parameters of a comparison. */
export interface Run {
  options: Options;
  placement: Placement;
  /** Everything the comparison starts is pushed here and ends with it. */
  opened: AsyncDisposableStack;
  /** Every process of the service is watched by it. */
  memory: MemoryWatch;
  /** Shows progress. */
  progress(line: string): void;
}
