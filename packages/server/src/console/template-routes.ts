import type { AddRoute } from "./console-route.ts";
import { createTemplate } from "./create-template.ts";
import { deleteTemplate } from "./delete-template.ts";
import { previewTemplate } from "./preview-template.ts";
import { readTemplate } from "./read-template.ts";
import { readTemplateVersion } from "./read-template-version.ts";
import { readTemplateVersions } from "./read-template-versions.ts";
import { readTemplates } from "./read-templates.ts";
import { saveTemplate } from "./save-template.ts";

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
