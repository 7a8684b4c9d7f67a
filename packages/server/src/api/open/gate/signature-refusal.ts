import type { CallRefusal } from "@portico/protocol";
import {
  findSignatureMistakes,
  formOfSignature,
  type MismatchedCall,
} from "../../../domain/requests/signature-mistakes.ts";
import { Refusal } from "../../../platform/errors/refusal.ts";

/** A line of the canonical string beyond this is cut where it is shown; only paths and queries can be so long. */
const MAX_LINE_LENGTH = 2_048;

/** Names of the lines of the canonical string (docs/contract/signing.md#the-text-that-is-signed). */
const LINE_NAMES = ["method", "path", "query", "appId", "credentialId", "timestamp", "nonce", "bodyHash"];

/**
 * The refusal of a signature that does not match. Which usual mistake has been made is looked into only when it is asked,
 * once the answer has been sent: what a caller is told, and when, does not depend on it.
 */
export function signatureMismatch(canonicalString: string, call: MismatchedCall, bodyLength: number): Refusal {
  const refusal = describe(canonicalString, call, bodyLength, null);
  const inquire = () => describe(canonicalString, call, bodyLength, findSignatureMistakes(call));
  return new Refusal("UNAUTHENTICATED", refusal, { reason: "400003 the signature does not match", inquire });
}

/** The refusal of a call whose query has no canonical form. */
export function unsignableQuery(reason: string, call: MismatchedCall, bodyLength: number): Refusal {
  return new Refusal("UNAUTHENTICATED", describe("", call, bodyLength, []), { reason: `400003 ${reason}` });
}

function describe(
  canonicalString: string,
  { bodyHash, contentType, signature }: MismatchedCall,
  bodyLength: number,
  mistakes: string[] | null,
): CallRefusal {
  const lines = canonicalString === "" ? [] : canonicalString.split("\n");
  return {
    check: "signature",
    details: {
      lines: lines.map((line, index) => ({ name: LINE_NAMES[index] ?? "", value: line.slice(0, MAX_LINE_LENGTH) })),
      truncated: lines.some((line) => line.length > MAX_LINE_LENGTH),
      bodyHash,
      bodyLength,
      contentType: contentType ?? null,
      received: { length: signature.length, form: formOfSignature(signature) },
      mistakes,
    },
  };
}
