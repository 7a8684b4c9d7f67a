import { canonicalString, type SignedParts } from "@portico/protocol";

/** A call to sign. */
export interface CallToSign extends Omit<SignedParts, "bodyHash" | "timestamp" | "rawQuery"> {
  /** Epoch milliseconds. */
  timestamp: number;
  /** In the canonical form. */
  query: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** Signs a call by the browser's own cryptography (docs/contract/signing.md). */
export async function signCall(
  call: CallToSign,
  appSecret: string,
): Promise<{ headers: Record<string, string>; signedText: string }> {
  const timestamp = String(call.timestamp);
  const bodyHash = hexOf(await crypto.subtle.digest("SHA-256", call.bytes));
  const signedText = canonicalString({ ...call, rawQuery: call.query, timestamp, bodyHash });
  const encoder = new TextEncoder();
  const hmac = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(appSecret), hmac, false, ["sign"]);
  const signature = hexOf(await crypto.subtle.sign("HMAC", key, encoder.encode(signedText)));
  return {
    signedText,
    headers: {
      "X-Open-App-Id": call.appId,
      "X-Open-Credential-Id": call.credentialId,
      "X-Open-Timestamp": timestamp,
      "X-Open-Nonce": call.nonce,
      "X-Open-Signature": signature,
    },
  };
}

function hexOf(buffer: ArrayBuffer): string {
  return Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
