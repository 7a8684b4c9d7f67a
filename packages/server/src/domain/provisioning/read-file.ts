import { readFileSync } from "node:fs";
import { compactText } from "@portico/protocol/cards";
import { itemSpans, memberSpans, type Span } from "@portico/protocol/json-member";
import { Compile } from "typebox/compile";
import type { TLocalizedValidationError } from "typebox/error";
import { JsonText } from "../../platform/http/json-text.ts";
import { ProvisioningError } from "./provisioning-error.ts";
import { ProvisioningFile } from "./schema.ts";

const validator = Compile(ProvisioningFile);

/**
 * Reads and validates a provisioning file.
 *
 * @throws ProvisioningError naming the faulty path in it.
 */
export function readProvisioningFile(path: string): ProvisioningFile {
  let text: string;
  let json: unknown;
  try {
    text = readFileSync(path, "utf8");
    json = JSON.parse(text);
  } catch (error) {
    throw new ProvisioningError("", `${path} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
  const file = checkProvisioning(json);
  keepCards(file, text);
  return file;
}

/** Replaces the cards of templates by their texts: parsing changes numbers, and the order of some members. */
function keepCards(file: ProvisioningFile, text: string): void {
  const apps = itemsOf(text, memberSpans(text).get("apps"));
  for (const [index, app] of (file.apps ?? []).entries()) {
    const templates = itemsOf(text, membersAt(text, apps[index]).get("cardTemplates"));
    for (const [place, template] of (app.cardTemplates ?? []).entries()) {
      const card = membersAt(text, templates[place]).get("card");
      if (card !== undefined) template.card = new JsonText(compactText(text.slice(card.from, card.to)));
    }
  }
}

function itemsOf(text: string, list: Span | undefined): readonly Span[] {
  return list === undefined ? [] : itemSpans(text, list.from);
}

function membersAt(text: string, object: Span | undefined): ReadonlyMap<string, Span> {
  return object === undefined ? new Map() : memberSpans(text, object.from);
}

/** See {@link readProvisioningFile}. */
function checkProvisioning(json: unknown): ProvisioningFile {
  if (validator.Check(json)) return json;
  // The deepest error is the most specific one.
  const [first, ...rest] = validator.Errors(json);
  const deepest = rest.reduce((a, b) => (a && b.instancePath.length > a.instancePath.length ? b : a), first);
  if (deepest === undefined) throw new ProvisioningError("", "is not valid");
  throw new ProvisioningError(jsonPath(deepest.instancePath), problemOf(deepest));
}

/** Converts `/apps/0/scopes/1` to `apps[0].scopes[1]`. */
function jsonPath(pointer: string): string {
  return pointer
    .slice(1)
    .split("/")
    .map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`))
    .join("")
    .slice(1);
}

function problemOf(error: TLocalizedValidationError): string {
  switch (error.keyword) {
    case "additionalProperties":
    case "boolean":
      return "is unknown";
    case "required":
      return `lacks ${error.params.requiredProperties.join(", ")}`;
    case "enum":
      return `must be one of ${error.params.allowedValues.join(", ")}`;
    default:
      return error.message;
  }
}
