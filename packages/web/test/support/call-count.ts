import type { CDPSession, Page } from "playwright-core";

/** Counts the calls of functions in a page's own scripts: what something costs, whatever the machine is busy with. */
export class CallCount {
  readonly #session: CDPSession;

  private constructor(session: CDPSession) {
    this.#session = session;
  }

  /** Counts in a page from now on. */
  static async of(page: Page): Promise<CallCount> {
    const session = await page.context().newCDPSession(page);
    await session.send("Profiler.enable");
    await session.send("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
    return new CallCount(session);
  }

  /** The calls while something is done. */
  async during(work: () => Promise<unknown>): Promise<number> {
    await this.#take();
    await work();
    return await this.#take();
  }

  /** The calls since the last look. */
  async #take(): Promise<number> {
    const { result } = await this.#session.send("Profiler.takePreciseCoverage");
    const own = result.filter(({ url }) => /^https?:/.test(url));
    return own
      .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
      .reduce((sum, { count }) => sum + count, 0);
  }
}
