import { readFileSync } from "node:fs";
import { findInexactNumber } from "@portico/protocol";
import { Compile } from "typebox/compile";
import type { TLocalizedValidationError } from "typebox/error";
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
  const inexact = findInexactNumber(text);
  if (inexact !== null) {
    const { line, column, source } = inexact;
    const problem = `${source} would be kept as ${Number(source)}; write it as a string`;
    throw new ProvisioningError("", `${path}:${line}:${column}: ${problem}`);
  }
  return checkProvisioning(json);
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
