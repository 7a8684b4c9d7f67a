import type { SignInMethods } from "@portico/protocol/schemas";

const KEPT = "portico.fragment";

/**
 * Where the browser goes to sign in with a provider, to come back to the page that is open. Its fragment stays here: it may
 * hold a code, which no server and no log should see.
 */
export function addressOf({ startUrl }: NonNullable<SignInMethods["oidc"]>): string {
  const address = new URL(startUrl);
  address.searchParams.set("returnTo", location.pathname + location.search);
  return address.href;
}

/** Keeps the page's fragment in this window, for when the browser comes back from the provider. */
export function keepFragment(): void {
  if (location.hash === "") forgetFragment();
  else sessionStorage.setItem(KEPT, location.pathname + location.hash);
}

/** The fragment of the page that is open: its own, or the one kept for it; empty without either. */
export function fragmentHere(): string {
  const kept = sessionStorage.getItem(KEPT) ?? "";
  return location.hash === "" && kept.startsWith(`${location.pathname}#`)
    ? kept.slice(location.pathname.length)
    : location.hash;
}

/** Removes the fragment that is kept. */
export function forgetFragment(): void {
  sessionStorage.removeItem(KEPT);
}
