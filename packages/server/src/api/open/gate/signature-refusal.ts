import type { CallRefusal } from "@portico/protocol";
import {
  findSignatureMistakes,
  formOfSignature,
  type MismatchedCall,
} from "../../../domain/requests/signature-mistakes.ts";
import { Refusal } from "../../../platform/errors/refusal.ts";

/** Longer lines of the canonical string are truncated for display; only paths and queries can be that long. */
const MAX_LINE_LENGTH = 2_048;

/** Names of the lines of the canonical string (docs/contract/signing.md#the-text-that-is-signed). */
const LINE_NAMES = ["method", "path", "query", "appId", "credentialId", "timestamp", "nonce", "bodyHash"];

/**
 * The error for a mismatched signature. The mistake is analysed only on demand, after the answer was sent, so that
 * neither the content nor the timing of the answer depends on it.
 */
export function signatureMismatch(canonicalString: string, call: MismatchedCall, bodyLength: number): Refusal {
  const refusal = describe(canonicalString, call, bodyLength, null);
  const inquire = () => describe(canonicalString, call, bodyLength, findSignatureMistakes(call));
  return new Refusal("UNAUTHENTICATED", refusal, { reason: "400003 the signature does not match", inquire });
}

/** The error for a call whose query has no canonical form. */
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
