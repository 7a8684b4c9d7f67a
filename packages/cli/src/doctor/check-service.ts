import { type Finding, fault, ok } from "./finding.ts";

const TIMEOUT_MS = 10_000;
/** How far apart the clocks may be: signatures are accepted for so long. */
const TOLERATED_MS = 300_000;
/** From here on a difference is told of. */
const REMARKABLE_MS = 30_000;

/** Looks whether the service answers at its address, and compares its clock with that of this machine. */
export async function checkService(baseUrl: string): Promise<Finding[]> {
  const sentAt = Date.now();
  let response: Response;
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    response = await fetch(new URL("/healthz", baseUrl), { redirect: "manual", signal });
    await response.body?.cancel();
  } catch (error) {
    const advice =
      "Is the service running? Start it with `npm start`, or name another by --base-url or PORTICO_BASE_URL.";
    return [fault("service", [`${baseUrl} does not answer: ${reasonOf(error)}`, advice])];
  }
  const tookMs = Date.now() - sentAt;
  if (response.status !== 200) {
    const advice =
      "Something answers there, but not as the service does: check the base URL, and any proxy on the way.";
    return [fault("service", [`${baseUrl}/healthz answers ${response.status}`, advice])];
  }
  const clock = checkClock(Date.parse(response.headers.get("date") ?? ""), sentAt + tookMs / 2);
  return [ok("service", `${baseUrl} answers in ${tookMs} ms`), clock];
}

/** @param theirs and `ours` are the same moment by the two clocks, in epoch milliseconds. */
function checkClock(theirs: number, ours: number): Finding {
  if (Number.isNaN(theirs)) {
    return fault("clock", [
      "the service does not tell its time",
      "A proxy on the way seems to remove the Date header.",
    ]);
  }
  const aheadMs = ours - theirs;
  if (Math.abs(aheadMs) < REMARKABLE_MS) return ok("clock", "this machine's is that of the service, to some seconds");
  const seconds = Math.round(Math.abs(aheadMs) / 1_000);
  const isRefused = Math.abs(aheadMs) >= TOLERATED_MS;
  return fault("clock", [
    `this machine's is ${seconds} s ${aheadMs > 0 ? "ahead of" : "behind"} that of the service`,
    `Set the clock, by NTP for example: ${isRefused ? "signed calls are refused" : "from 300 s on signed calls are refused"}.`,
  ]);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "not reached";
  if (error.name === "TimeoutError") return `nothing within ${TIMEOUT_MS / 1_000} s`;
  const { cause } = error;
  return cause instanceof Error && "code" in cause ? String(cause.code) : "not reached";
}
