import { forgetFragment, fragmentHere } from "../../shared/sign-in/provider-address.ts";

/** What a sign-in picture holds (docs/contract/client.md#signing-in-to-the-console-by-qr-code). */
const ADDRESS = /\/qr\/login#token=([\w.~-]{1,128})$/;
const SIGN_IN_PATH = "/qr/login";
const BARE = /^[\w.~-]{16,128}$/;

/** The token in the text of a sign-in picture: its address, or the token alone; null for any other text. */
export function qrTokenIn(text: string): string | null {
  const words = text.trim();
  return ADDRESS.exec(words)?.[1] ?? (BARE.test(words) ? words : null);
}

/** The token in the page's own address; null without one. */
export function qrTokenInAddress(): string | null {
  return location.pathname === SIGN_IN_PATH ? qrTokenIn(location.origin + SIGN_IN_PATH + fragmentHere()) : null;
}

/** Takes the token out of the page's address, so that no history keeps it. */
export function leaveQrAddress(): void {
  forgetFragment();
  if (location.pathname === SIGN_IN_PATH) history.replaceState(null, "", "/messenger/");
}
