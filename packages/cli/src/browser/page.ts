import { FailureError } from "../command.ts";
import { memberOf, textOf } from "../json.ts";
import type { DevTools } from "./dev-tools.ts";

/** A part of a page, in its own pixels. */
export interface Place {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A page of a browser. */
export class Page {
  readonly #devTools: DevTools;
  readonly #sessionId: string | undefined;

  private constructor(devTools: DevTools, sessionId: string | undefined) {
    this.#devTools = devTools;
    this.#sessionId = sessionId;
  }

  /** @throws FailureError, as all its methods, when the browser refuses or ends. */
  static async open(devTools: DevTools): Promise<Page> {
    const target = await devTools.send("Target.createTarget", { url: "about:blank" });
    const attached = await devTools.send("Target.attachToTarget", {
      targetId: textOf(target, "targetId"),
      flatten: true,
    });
    const page = new Page(devTools, textOf(attached, "sessionId"));
    await page.#send("Page.enable");
    const features = [{ name: "prefers-reduced-motion", value: "reduce" }];
    await page.#send("Emulation.setEmulatedMedia", { features });
    return page;
  }

  /** @param deviceScaleFactor pixels of the screen for each of the page. */
  async resize(width: number, height: number, deviceScaleFactor: number): Promise<void> {
    const size = { width, height, deviceScaleFactor, mobile: false };
    await this.#send("Emulation.setDeviceMetricsOverride", size);
  }

  async goTo(url: string): Promise<void> {
    const fault = textOf(await this.#send("Page.navigate", { url }), "errorText");
    if (fault === undefined) return;
    throw new FailureError(`the browser cannot open ${new URL(url).origin}: ${fault}; is the service running?`);
  }

  /** The value of an expression, or of its promise, in the page. */
  async evaluate(expression: string): Promise<unknown> {
    const answer = await this.#send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
    const thrown = memberOf(answer, "exceptionDetails");
    if (thrown !== undefined) throw new FailureError(`the page has failed: ${textOf(thrown, "text")}`);
    return memberOf(memberOf(answer, "result"), "value");
  }

  /** A PNG of a part of the page. */
  async photograph(place: Place): Promise<Buffer> {
    const clip = { ...place, scale: 1 };
    const shot = await this.#send("Page.captureScreenshot", { format: "png", clip, captureBeyondViewport: true });
    return Buffer.from(textOf(shot, "data") ?? "", "base64");
  }

  #send(method: string, params: object = {}): Promise<unknown> {
    return this.#devTools.send(method, params, this.#sessionId);
  }
}
