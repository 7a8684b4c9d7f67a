import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

/** The duration of each test file's last complete run, by path, in milliseconds. */
export class PastDurations {
  readonly #path: string;
  readonly #known: Map<string, number>;

  private constructor(path: string, known: Map<string, number>) {
    this.#path = path;
    this.#known = known;
  }

  /** Reads the record at `path`; a missing or unreadable one counts as empty. */
  static async recall(path: string): Promise<PastDurations> {
    const kept: unknown = await readFile(path, "utf8")
      .then(JSON.parse)
      .catch(() => null);
    const entries = Object.entries(kept ?? {}).filter(
      (entry): entry is [string, number] => typeof entry[1] === "number",
    );
    return new PastDurations(path, new Map(entries));
  }

  /** The files, the slowest first, so that no slow file begins when the others have finished. */
  async longestFirst(files: readonly string[]): Promise<string[]> {
    const expected = await Promise.all(
      files.map(async (file) => ({ file, ms: this.#known.get(file) ?? (await guess(file)) })),
    );
    return expected.sort((a, b) => b.ms - a.ms || a.file.localeCompare(b.file)).map(({ file }) => file);
  }

  note(file: string, ms: number): void {
    this.#known.set(file, Math.round(ms));
  }

  /** Stores the durations of `files`, which are all test files, for the next run. */
  async keep(files: readonly string[]): Promise<void> {
    const kept = files.flatMap((file) => {
      const ms = this.#known.get(file);
      return ms === undefined ? [] : [[file, ms] as const];
    });
    await mkdir(dirname(this.#path), { recursive: true });
    await writeFile(this.#path, JSON.stringify(Object.fromEntries(kept), null, 1));
  }
}

/** Tests in a browser take long, however short their file is: many share their steps. */
const BROWSER_TESTS = "/packages/web/test/";
const BROWSER_MS = 40_000;
/** So do tests of services in processes of their own: each start takes a second or two. */
const STARTS_PROCESSES = "support/process.ts";
const PROCESSES_MS = 20_000;

/** The estimate for a file that never ran: about a millisecond per byte. */
async function guess(file: string): Promise<number> {
  const text = await readFile(file);
  if (file.includes(BROWSER_TESTS)) return text.length + BROWSER_MS;
  return text.length + (text.includes(STARTS_PROCESSES) ? PROCESSES_MS : 0);
}
