import type { SecretBox } from "../../../platform/crypto/secret-box.ts";

/** How long a person may take at the provider. */
export const FLOW_LIFE_MS = 600_000;

/** A sign-in that a browser has begun; the browser keeps it, sealed. */
export interface Flow {
  /** What the provider hands back with its answer. */
  state: string;
  /** What the ID token has to hold. */
  nonce: string;
  /** The secret behind the code challenge (RFC 7636). */
  verifier: string;
  /** The path to go to in the end. */
  returnTo: string;
  /** Empty for developers. */
  tenantId: string;
  /** Epoch milliseconds. */
  expiresAt: number;
}

/** Whose sign-in it is: what was begun for one cannot be ended for the other. */
export type FlowPeople = "members" | "developers";

const ownerOf = (people: FlowPeople) => `oidc flow of ${people}`;

/** A flow as a cookie keeps it. */
export function sealFlow(box: SecretBox, people: FlowPeople, flow: Flow): string {
  return box.seal(JSON.stringify(flow), ownerOf(people));
}

/** The flow in a cookie; null when it is none of this service's, or has expired. */
export function openFlow(box: SecretBox, people: FlowPeople, sealed: string, now: number): Flow | null {
  if (sealed === "") return null;
  try {
    const flow = JSON.parse(box.open(sealed, ownerOf(people))) as Flow;
    return flow.expiresAt > now ? flow : null;
  } catch {
    return null;
  }
}

/**
 * No part of a path that the browser would take for another address (WHATWG URL, section 4.4), and only what a header can
 * hold: other characters come percent-encoded.
 */
const PATH = /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/;
const MAX_PATH_LENGTH = 1_024;

/** Whether `path` is one of this service, whatever its host: with query and fragment, but neither scheme nor host. */
export function isOwnPath(path: string): boolean {
  if (path.length > MAX_PATH_LENGTH || !PATH.test(path)) return false;
  return URL.parse(path, "https://here.invalid")?.origin === "https://here.invalid";
}
