import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { FailureError } from "../command.ts";
import { codeOf } from "../input.ts";
import { DevTools } from "./dev-tools.ts";

/** Of what the browser complains: enough to tell why it did not start. */
const MAX_COMPLAINT_CHARACTERS = 2_000;

const ENDS_WITHIN_MS = 5_000;

/** Chromium refuses its sandbox to root, as which commands run in containers. */
export const HAS_SANDBOX = process.getuid?.() !== 0;

const ARGUMENTS = [
  "--headless=new",
  "--remote-debugging-pipe",
  "--no-first-run",
  "--no-default-browser-check",
  "--disable-background-networking",
  "--disable-breakpad",
  "--disable-component-update",
  "--disable-default-apps",
  "--disable-extensions",
  "--disable-sync",
  "--password-store=basic",
  "--use-mock-keychain",
  "--hide-scrollbars",
  "--mute-audio",
  // Containers give little shared memory.
  "--disable-dev-shm-usage",
];

/** A browser without a window, with a profile of its own that is removed with it. Dispose of it after use. */
export class HeadlessBrowser implements AsyncDisposable {
  readonly devTools: DevTools;
  readonly #child: ChildProcess;
  readonly #profile: string;

  private constructor(child: ChildProcess, profile: string, devTools: DevTools) {
    this.#child = child;
    this.#profile = profile;
    this.devTools = devTools;
  }

  /** @throws FailureError when it cannot be started. */
  static async start(program: string): Promise<HeadlessBrowser> {
    const profile = await mkdtemp(join(tmpdir(), "portico-preview-"));
    const own = [`--user-data-dir=${profile}`, ...(HAS_SANDBOX ? [] : ["--no-sandbox"]), "about:blank"];
    const child = spawn(program, [...ARGUMENTS, ...own], {
      stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"],
      // Its processes can then be ended together.
      detached: process.platform !== "win32",
    });
    const [, , , toBrowser, fromBrowser] = child.stdio;
    if (!(toBrowser instanceof Writable && fromBrowser instanceof Readable)) throw new Error("no pipes to the browser");
    const devTools = new DevTools(toBrowser, fromBrowser);
    let complaint = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      complaint = `${complaint}${text}`.slice(-MAX_COMPLAINT_CHARACTERS);
    });
    child.once("error", (error) => devTools.end(new FailureError(`cannot start ${program}: ${codeOf(error)}`)));
    child.once("close", () => devTools.end(new FailureError(`${program} has ended too early\n${complaint}`.trimEnd())));
    return new HeadlessBrowser(child, profile, devTools);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { pid } = this.#child;
    if (pid !== undefined && this.#child.exitCode === null && this.#child.signalCode === null) {
      const ended = once(this.#child, "exit");
      // By itself it removes also what it has put elsewhere.
      void this.devTools.send("Browser.close").catch(() => {});
      const killing = setTimeout(killAll, ENDS_WITHIN_MS, pid);
      await ended;
      clearTimeout(killing);
    }
    // Processes of the browser that are just ending may still write.
    await rm(this.#profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

function killAll(pid: number): void {
  try {
    process.kill(process.platform === "win32" ? pid : -pid, "SIGKILL");
  } catch {
    // It has just ended by itself.
  }
}
