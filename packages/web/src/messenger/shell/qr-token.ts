/** What a sign-in picture holds (docs/contract/client.md#signing-in-to-the-console-by-qr-code). */
const ADDRESS = /\/qr\/login#token=([\w.~-]{1,128})$/;
const BARE = /^[\w.~-]{16,128}$/;

/** The token in the text of a sign-in picture: its address, or the token alone; null for any other text. */
export function qrTokenIn(text: string): string | null {
  const words = text.trim();
  return ADDRESS.exec(words)?.[1] ?? (BARE.test(words) ? words : null);
}

/** The token in the page's own address, which is then taken out of it, so that no history keeps it; null without one. */
export function takeQrToken(): string | null {
  if (location.pathname !== "/qr/login") return null;
  const token = qrTokenIn(location.href);
  history.replaceState(null, "", "/messenger/");
  return token;
}
