import type { AddRoute } from "../../common/console/console-route.ts";
import { createTemplate } from "./create-template.ts";
import { deleteTemplate } from "./delete-template.ts";
import { readTemplate } from "./get-template.ts";
import { readTemplateVersion } from "./get-template-version.ts";
import { readTemplateVersions } from "./list-template-versions.ts";
import { readTemplates } from "./list-templates.ts";
import { previewTemplate } from "./preview-template.ts";
import { saveTemplate } from "./update-template.ts";

/** An application's card templates. */
export function addTemplateRoutes(add: AddRoute): void {
  add(readTemplates);
  add(createTemplate);
  add(previewTemplate("preview"));
  add(previewTemplate("validate"));
  add(readTemplate);
  add(saveTemplate);
  add(deleteTemplate);
  add(readTemplateVersions);
  add(readTemplateVersion);
}
