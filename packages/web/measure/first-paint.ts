/**
 * `npm run first-paint`: how soon pages are painted and can be used, on loopback, in a browser that has nothing of them,
 * with a processor slowed down. The figures are medians; docs/performance.md has some.
 */
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import type { Browser } from "playwright-core";
import { launchMeasuredBrowser, NO_BROWSER } from "../test/support/browser.ts";
import { DemoService } from "../test/support/demo-service.ts";

const PAGES: readonly { name: string; path: string; as: "member" | "developer" | null; usable: string }[] = [
  { name: "start", path: "/", as: null, usable: "nav a" },
  { name: "messenger, sign-in", path: "/messenger/", as: null, usable: "input[name=tenantId]" },
  { name: "messenger", path: "/messenger/group%3Ag_demo", as: "member", usable: "nav li a" },
  { name: "console, sign-in", path: "/console/", as: null, usable: "input[type=password]" },
  { name: "console, applications", path: "/console/apps", as: "developer", usable: "#root:not([aria-busy]) main h1" },
  { name: "docs", path: "/docs/", as: null, usable: "#root:not([aria-busy]) main h1" },
  { name: "docs, a call", path: "/docs/reference/bot.sendMessage", as: null, usable: "#try-it form" },
];

if (NO_BROWSER) {
  console.error(NO_BROWSER);
  process.exit(1);
}
const { values } = parseArgs({
  options: { rounds: { type: "string", default: "7" }, slowdown: { type: "string", default: "4" } },
});
const rounds = Number(values.rounds);
const slowdown = Number(values.slowdown);

await using stack = new AsyncDisposableStack();
const service = stack.adopt(await DemoService.start(), (started) => started.stop());
const browser = stack.adopt(await launchMeasuredBrowser(), (launched) => launched.close());
console.log(`processor slowed down ${slowdown} times, ${rounds} rounds, load ${loadavg()[0]?.toFixed(1)}`);
console.log("| page | first contentful paint, ms | worst | can be used, ms |\n| --- | --: | --: | --: |");
for (const page of PAGES) {
  const times = [];
  for (let round = 0; round < rounds; round++) times.push(await measure(browser, page));
  const paints = times.map(({ paint }) => paint).sort((a, b) => a - b);
  const uses = times.map(({ use }) => use).sort((a, b) => a - b);
  console.log(`| ${page.name} | ${median(paints)} | ${Math.round(paints.at(-1) ?? 0)} | ${median(uses)} |`);
}

async function measure(
  browser: Browser,
  { path, as, usable }: (typeof PAGES)[number],
): Promise<{ paint: number; use: number }> {
  await using context = await browser.newContext({ baseURL: service.url, locale: "en-US" });
  const page = await context.newPage();
  if (as !== null)
    await signIn(as, async (script) => {
      await page.goto("/readyz");
      await page.evaluate(script);
    });
  const inspector = await context.newCDPSession(page);
  await inspector.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
  await page.goto(path, { waitUntil: "commit" });
  return await page.evaluate(`(async () => {
    while (document.querySelector(${JSON.stringify(usable)}) === null) await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
    const use = performance.now();
    for (;;) {
      const [entry] = performance.getEntriesByName("first-contentful-paint");
      if (entry !== undefined) return { paint: entry.startTime, use };
      await new Promise(requestAnimationFrame);
    }
  })()`);
}

async function signIn(as: "member" | "developer", run: (script: string) => Promise<void>): Promise<void> {
  const [path, account] =
    as === "member"
      ? ["/api/client/v1/auth/login", { tenantId: "t_demo", ...pick(service.member("alice"), "username", "password") }]
      : ["/api/open/console/v1/auth/login", pick(service.developer, "phone", "password", "channelId")];
  await run(`fetch(${JSON.stringify(path)}, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: ${JSON.stringify(JSON.stringify(account))},
  }).then((response) => { if (!response.ok) throw new Error("HTTP " + response.status); })`);
}

function pick<T, K extends keyof T>(from: T, ...keys: K[]): Pick<T, K> {
  return Object.fromEntries(keys.map((key) => [key, from[key]])) as Pick<T, K>;
}

function median(sorted: readonly number[]): number {
  return Math.round(sorted[sorted.length >> 1] ?? 0);
}
