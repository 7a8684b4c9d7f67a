import assert from "node:assert/strict";
import { after, before } from "node:test";
import type { ProvisioningFile } from "../../src/domain/provisioning/schema.ts";
import type { StartParts } from "../../src/service/start-parts.ts";
import { TEST_CA } from "./certificates.ts";
import type { Engine } from "./engines.ts";
import { TestIssuer } from "./issuer.ts";
import { resolverOf } from "./receiver.ts";
import { World } from "./world.ts";

/** Finds the provider, as `receiver.test`. */
const NETWORK = { lookup: resolverOf({ "receiver.test": ["127.0.0.1"] }), ca: TEST_CA };

/** A suite's service, and the provider with which its members sign in, linked by their usernames. */
export function suiteIssuerWorld(
  engine: Engine,
  provision: ProvisioningFile,
  env: Record<string, string> = {},
  network: StartParts["network"] = NETWORK,
): { world: () => World; issuer: () => TestIssuer } {
  let issuer: TestIssuer | null = null;
  let world: World | null = null;
  before(async () => {
    if (engine.missing !== null) return;
    issuer = await TestIssuer.start();
    world = await World.create(engine, provision, { ...issuer.env("MEMBERS", { LINK: "true" }), ...env }, { network });
  });
  after(async () => {
    await world?.dispose();
    await issuer?.stop();
  });
  return {
    world() {
      assert.ok(world, "the world is there only while the suite's tests run");
      return world;
    },
    issuer() {
      assert.ok(issuer, "and so is the provider");
      return issuer;
    },
  };
}
