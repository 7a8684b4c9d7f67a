import type { Tally } from "./tally.ts";

/** More failed files than this are no chance: something is broken, and running them again would only take time. */
const MOST_RUN_AGAIN = 5;

/** The results of a whole run, file by file. */
export class Results {
  readonly #tallies = new Map<string, Tally>();
  /** Tests that failed beside other files, and passed when their file was run again by itself. */
  readonly unsteady: Tally["failed"] = [];

  /** Notes the result of a file. */
  note(file: string, tally: Tally): void {
    this.#tallies.set(file, tally);
  }

  /** The failed files that are worth a second run. */
  get toRunAgain(): string[] {
    const failed = [...this.#tallies].filter(([, { failed }]) => failed.length > 0).map(([file]) => file);
    return failed.length <= MOST_RUN_AGAIN ? failed : [];
  }

  /** Notes the result of a file's second run. One that has failed twice keeps the failures of its first run. */
  noteAgain(file: string, tally: Tally): void {
    if (tally.failed.length > 0) return;
    this.unsteady.push(...(this.#tallies.get(file)?.failed ?? []));
    this.#tallies.set(file, tally);
  }

  /** The sum of all files. */
  get total(): Tally {
    const tallies = [...this.#tallies.values()];
    return {
      passed: tallies.reduce((sum, { passed }) => sum + passed, 0),
      failed: tallies.flatMap(({ failed }) => failed),
      skipped: tallies.flatMap(({ skipped }) => skipped),
    };
  }
}
