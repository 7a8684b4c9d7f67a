const encoder = new TextEncoder();

/** A copy of bytes, or the UTF-8 bytes of a text, as WebCrypto takes them: of a buffer that nobody shares. */
export function ownBytes(data: string | Uint8Array): Uint8Array<ArrayBuffer> {
  return typeof data === "string" ? encoder.encode(data) : new Uint8Array(data);
}

/** Lower-case hex SHA-256. */
export async function sha256Hex(data: Uint8Array<ArrayBuffer>): Promise<string> {
  return hex(await crypto.subtle.digest("SHA-256", data));
}

/** Lower-case hex HMAC-SHA256 under the UTF-8 bytes of a secret. */
export async function hmacHex(secret: string, data: Uint8Array<ArrayBuffer>): Promise<string> {
  return hex(await crypto.subtle.sign("HMAC", await keyOf(secret, "sign"), data));
}

/** Whether a signature in lower-case hex is the HMAC-SHA256 of `data`; compared in constant time. */
export async function isHmacHex(secret: string, data: Uint8Array<ArrayBuffer>, signature: string): Promise<boolean> {
  if (!/^[0-9a-f]{64}$/.test(signature)) return false;
  const bytes = Uint8Array.from(signature.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  return await crypto.subtle.verify("HMAC", await keyOf(secret, "verify"), bytes, data);
}

function keyOf(secret: string, usage: "sign" | "verify") {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  return crypto.subtle.importKey("raw", ownBytes(secret), algorithm, false, [usage]);
}

function hex(buffer: ArrayBuffer): string {
  return Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
