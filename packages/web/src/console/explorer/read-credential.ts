/** Who makes the calls. */
export interface Caller {
  credentialId: string;
  appSecret: string;
}

/**
 * A credential that was copied whole: the profile that `portico apps create --json` prints, or its id and its secret with blanks or lines
 * between. Null for anything else.
 */
export function readCredential(text: string): Caller | null {
  try {
    const profile: unknown = JSON.parse(text);
    if (typeof profile !== "object" || profile === null) return null;
    if (!("credentialId" in profile && "appSecret" in profile)) return null;
    const { credentialId, appSecret } = profile;
    return typeof credentialId === "string" && typeof appSecret === "string" ? { credentialId, appSecret } : null;
  } catch {
    const [credentialId = "", appSecret = "", ...more] = text.trim().split(/\s+/);
    return credentialId.startsWith("cred_") && appSecret !== "" && more.length === 0
      ? { credentialId, appSecret }
      : null;
  }
}
