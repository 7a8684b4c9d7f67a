import { keyOf } from "../entities.ts";
import type { AppEntry } from "../schema.ts";
import { provisionAgents } from "./app-agents.ts";
import { provisionCredentials } from "./app-credentials.ts";
import { provisionAppFields } from "./app-fields.ts";
import { provisionInstallations } from "./app-installations.ts";
import { provisionOrigins } from "./app-origins.ts";
import { AppPlace } from "./app-place.ts";
import { provisionReplies } from "./app-replies.ts";
import { provisionScopes } from "./app-scopes.ts";
import { provisionCardTemplates } from "./app-templates.ts";
import { provisionVisitors } from "./app-visitors.ts";
import { provisionWidget } from "./app-widget.ts";
import { pathOfTenant } from "./named.ts";
import type { Run } from "./run.ts";

/** The default type is BOT, the default status ACTIVE. */
export async function provisionApp(run: Run, app: AppEntry, path: string): Promise<void> {
  const tenantId = await run.tenantOf(app.tenant, pathOfTenant(path, app));
  const place = new AppPlace(run, { applied: run.appliedStateOf(keyOf.app(app.appId)), app, tenantId, path });
  const { isNewType, review } = await provisionAppFields(place);
  await provisionScopes(place, isNewType);
  await provisionOrigins(place);
  await provisionWidget(place);
  await review();
  await provisionCredentials(place);
  await provisionInstallations(place);
  await provisionCardTemplates(place);
  await provisionAgents(place);
  await provisionReplies(place);
  await provisionVisitors(place);
}
