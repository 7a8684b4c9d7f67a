import { after, before } from "node:test";
import type { Browser, BrowserContextOptions } from "playwright-core";
import { launchBrowser } from "./browser.ts";
import { DemoService } from "./demo-service.ts";
import { type Visit, visit } from "./visit.ts";

/** A service with the demo world and a browser, for the tests of a `describe`: there from the first to the last of them. */
export class DemoWorld {
  #service: DemoService | undefined;
  #browser: Browser | undefined;

  /** Made within a `describe`. */
  constructor() {
    before(async () => {
      [this.#service, this.#browser] = await Promise.all([DemoService.start(), launchBrowser()]);
    });
    after(async () => {
      await this.#browser?.close();
      await this.#service?.stop();
    });
  }

  get service(): DemoService {
    return there(this.#service);
  }

  get browser(): Browser {
    return there(this.#browser);
  }

  /** Opens a window that has been nowhere. */
  visit(options?: BrowserContextOptions): Promise<Visit> {
    return visit(this.browser, this.service.url, options);
  }
}

function there<T>(part: T | undefined): T {
  if (part === undefined) throw new Error("the world is there in tests alone");
  return part;
}
