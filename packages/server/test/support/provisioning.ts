import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ProvisioningOptions } from "../../src/domain/provisioning/apply/run.ts";
import { applyProvisioning } from "../../src/domain/provisioning/apply.ts";
import { readProvisioningFile } from "../../src/domain/provisioning/read-file.ts";
import type { ProvisionReport } from "../../src/domain/provisioning/report.ts";
import type { AppEntry, ProvisioningFile } from "../../src/domain/provisioning/schema.ts";
import type { Credentials } from "./http.ts";
import type { World } from "./world.ts";

/** The credential of {@link example}. */
export const exampleCredentials: Credentials = {
  appId: "app_ci",
  credentialId: "cred_ci",
  appSecret: "the secret of app_ci ✓",
};

/** A file with at least one entry of every kind (docs/provisioning.md). */
export function example(app: Partial<AppEntry> = {}, other: Partial<ProvisioningFile> = {}): ProvisioningFile {
  return {
    tenants: [{ id: "t_acme", name: "Acme" }],
    members: [
      {
        tenant: "t_acme",
        userId: "u_alice",
        username: "alice",
        name: "Alice",
        password: "alice's password",
        phone: "13900000001",
      },
    ],
    groups: [{ id: "g_team", tenant: "t_acme", name: "Team", members: ["alice"] }],
    developers: [
      {
        phone: "13800000000",
        channelId: 1,
        password: "the developer's password",
        name: "Dev",
        tenants: ["t_acme"],
        operator: false,
      },
    ],
    apps: [
      {
        appId: "app_ci",
        type: "BOT",
        tenant: "t_acme",
        owner: "13800000000",
        status: "ACTIVE",
        profile: { displayName: "CI", avatar: "" },
        credentials: [{ credentialId: exampleCredentials.credentialId, appSecret: exampleCredentials.appSecret }],
        scopes: ["bot.message.send"],
        quota: { perMinute: 6000, perDay: 100000, concurrent: 20 },
        installations: [{ targetType: "GROUP", targetId: "g_team" }],
        cardTemplates: [{ cardId: "tpl_1", name: "Build", version: 3, card: { a: 1 } }],
        agents: ["alice"],
        visitors: [{ visitorId: "v_1", thirdUserId: "c-77", nickname: "Ann", status: 1 }],
        ...app,
      },
    ],
    ...other,
  };
}

/** Replaces the world's provisioning file and starts the service with it. */
export async function restartWith(world: World, file: unknown): Promise<void> {
  writeFileSync(world.env.PORTICO_PROVISION ?? "", JSON.stringify(file));
  await world.restart();
}

/** Applies `file` to the running world, like a start. */
export async function apply(world: World, file: unknown, options?: ProvisioningOptions): Promise<ProvisionReport> {
  const path = join(world.env.PORTICO_DATA_DIR ?? "", "applied.json");
  writeFileSync(path, typeof file === "string" ? file : JSON.stringify(file));
  return await applyProvisioning(world.portico.ctx, readProvisioningFile(path), options);
}
