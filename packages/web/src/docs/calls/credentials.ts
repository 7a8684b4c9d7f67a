import { useSyncExternalStore } from "react";

/** What calls are made with. */
export interface Credentials {
  appId: string;
  credentialId: string;
  appSecret: string;
  accessToken: string;
}

let held: Credentials = { appId: "", credentialId: "", appSecret: "", accessToken: "" };
const listeners = new Set<() => void>();

/** The credentials that have been typed into this page: in its memory alone, for all calls that it shows. */
export function useCredentials(): [Credentials, (change: Partial<Credentials>) => void] {
  const credentials = useSyncExternalStore(subscribe, () => held);
  return [credentials, change];
}

function change(some: Partial<Credentials>): void {
  held = { ...held, ...some };
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
