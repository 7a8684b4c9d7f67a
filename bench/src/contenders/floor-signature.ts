import { createHmac, createSecretKey, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** The check of the signatures that were made with `secret`, for the baselines: it shares no code with the service. */
export function signatureCheck(secret: string): (request: IncomingMessage, bodyHash: string) => boolean {
  const key = createSecretKey(Buffer.from(secret, "utf8"));
  return ({ method, url = "", headers }, bodyHash) => {
    const [path, query = ""] = url.split("?");
    const canonical = [
      method,
      path,
      query,
      headers["x-open-app-id"],
      headers["x-open-credential-id"],
      headers["x-open-timestamp"],
      headers["x-open-nonce"],
      bodyHash,
    ].join("\n");
    const expected = Buffer.from(createHmac("sha256", key).update(canonical).digest("hex"), "latin1");
    const given = Buffer.from(String(headers["x-open-signature"]), "latin1");
    return expected.length === given.length && timingSafeEqual(expected, given);
  };
}
