import type { AddConsoleRoute } from "../../common/console/console-route.ts";
import type { ConsoleContext } from "../parts.ts";
import { createTemplate } from "./create-template.ts";
import { deleteTemplate } from "./delete-template.ts";
import { getTemplate } from "./get-template.ts";
import { getTemplateVersion } from "./get-template-version.ts";
import { listTemplateVersions } from "./list-template-versions.ts";
import { listTemplates } from "./list-templates.ts";
import { previewTemplate } from "./preview-template.ts";
import { sendCardToMe } from "./send-card-to-me.ts";
import { updateTemplate } from "./update-template.ts";
import { validateTemplate } from "./validate-template.ts";

/** An application's card templates. */
export function addTemplateRoutes(add: AddConsoleRoute<ConsoleContext>): void {
  add(listTemplates);
  add(createTemplate);
  add(previewTemplate);
  add(validateTemplate);
  add(sendCardToMe);
  add(getTemplate);
  add(updateTemplate);
  add(deleteTemplate);
  add(listTemplateVersions);
  add(getTemplateVersion);
}
