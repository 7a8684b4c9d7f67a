import { applyProvisioning } from "../domain/provisioning/apply.ts";
import { demoWorld } from "../domain/provisioning/demo.ts";
import { logReport } from "../domain/provisioning/log-report.ts";
import { readProvisioningFile } from "../domain/provisioning/read-file.ts";
import type { Storage } from "../platform/storage/storage.ts";
import type { Context } from "./context.ts";

/** Applies the configured provisioning file, or makes the demo world in an empty store that is not for production. */
export async function provisionAtStart(ctx: Context): Promise<void> {
  const { config, storage, log } = ctx;
  if (config.provision !== null) {
    logReport(await applyProvisioning(ctx, readProvisioningFile(config.provision)), log);
  } else if (config.distributed === null && config.environment !== "production" && (await isEmpty(storage))) {
    await applyProvisioning(
      ctx,
      await demoWorld(
        config.dataDir,
        config.baseUrl ?? `${config.tls === null ? "http" : "https"}://localhost:${config.port}`,
      ),
    );
  }
}

async function isEmpty(storage: Storage): Promise<boolean> {
  const any = storage.db.selectFrom("tenants").select("tenant_id").where("tenant_id", ">", "").limit(1);
  return (await any.executeTakeFirst()) === undefined;
}
