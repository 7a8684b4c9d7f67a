/**
 * A separate process that calls the URLs given as arguments one after another, with the host names of receivers under
 * test, and prints the results as JSON. For behaviour that depends on the environment of a process.
 */

import { Attempts } from "../../src/domain/webhooks/attempts/attempt.ts";
import { systemClock } from "../../src/platform/clock/clock.ts";
import { AddressGuard } from "../../src/platform/network/address-guard.ts";
import { TEST_CA } from "./certificates.ts";
import { resolverOf } from "./receiver.ts";

const attempts = new Attempts({
  guard: new AddressGuard({ allowNetworks: ["127.0.0.0/8"], lookup: resolverOf({ "receiver.test": ["127.0.0.1"] }) }),
  connectTimeoutMs: 10_000,
  readTimeoutMs: 10_000,
  clock: systemClock,
  tls: { ca: TEST_CA },
});
const results = [];
for (const url of process.argv.slice(2))
  results.push(await attempts.run({ pool: "app_1", url, body: Buffer.from("{}"), headers: () => ({}) }));
attempts.close();
console.log(JSON.stringify(results));
