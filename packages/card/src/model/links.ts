/** A link that may be opened: the address as a browser writes it, and whose it is. */
export interface Link {
  href: string;
  /** In ASCII, so that a name in look-alike letters shows as what it is. */
  host: string;
}

/** A name of 253 characters, the most that DNS knows, and a port. It is shown whole, for its end says whose it is. */
const HOST_MAX_CHARS = 259;

/** Reads a link; null for all but http and https. */
export function linkOf(value: unknown): Link | null {
  if (typeof value !== "string" || !/^https?:\/\//i.test(value)) return null;
  const url = urlOf(value);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:") || url.host === "") return null;
  return url.host.length > HOST_MAX_CHARS ? null : { href: url.href, host: url.host };
}

/**
 * Where a picture is fetched from when no proxy is given. Pages load pictures of others over https alone, as their
 * content security policy says, so that http is only kept for the page's own.
 */
export function directPicture(address: string): string {
  const url = urlOf(address);
  if (url?.protocol !== "http:" || url.origin === globalThis.location?.origin) return address;
  url.protocol = "https:";
  return url.href;
}

/** Older browsers have no URL.parse. */
function urlOf(address: string): URL | null {
  return URL.canParse(address) ? new URL(address) : null;
}
