/** By the application's id; its secret is kept nowhere. */
const known = new Map<string, string>();

/** Notes the credential that was made, or used, while this page is open: the service tells its id once and only its last characters later. */
export function noteCredentialId(appId: string, credentialId: string): void {
  known.set(appId, credentialId);
}

/** Empty where it is not known. */
export function knownCredentialId(appId: string): string {
  return known.get(appId) ?? "";
}
