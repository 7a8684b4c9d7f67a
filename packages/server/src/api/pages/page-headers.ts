import { normalOrigin } from "../../domain/applications/origin-store.ts";
import type { PageName } from "./built-pages.ts";

/** What a page may use of the browser beside what every page may; nothing unless it stands here. */
const FEATURES: Partial<Record<PageName, readonly string[]>> = {
  // Scanning the code of a sign-in to the console.
  messenger: ["camera"],
};

/**
 * Refused to every page that has no use for them. Writing to the clipboard is left: identifiers are copied by a click.
 * Browsers warn of each feature that they do not know, on every page, so only what all versions of Chromium know stands here.
 */
const REFUSED_FEATURES = [
  "accelerometer",
  "autoplay",
  "camera",
  "clipboard-read",
  "display-capture",
  "encrypted-media",
  "fullscreen",
  "gamepad",
  "geolocation",
  "gyroscope",
  "hid",
  "idle-detection",
  "local-fonts",
  "magnetometer",
  "microphone",
  "midi",
  "payment",
  "picture-in-picture",
  "publickey-credentials-get",
  "screen-wake-lock",
  "serial",
  "usb",
  "xr-spatial-tracking",
];

/** What the headers of a page depend on. */
interface PageSurroundings {
  /** The address of the service, where its files and live streams are. */
  baseUrl: string;
  /** Whether the service fetches pictures from elsewhere, so that browsers need not. */
  imageProxy: boolean;
}

/** The headers that keep a page, and whoever reads it, safe from what it shows. */
export function pageHeaders(page: PageName, { baseUrl, imageProxy }: PageSurroundings): Record<string, string> {
  const policy = contentSecurityPolicy(baseUrl, {
    // Ant Design writes the rules of its components into style elements.
    styles: "'self' 'unsafe-inline'",
    // Pictures come from anywhere, unless the service fetches them.
    pictures: `'self'${imageProxy ? "" : " https:"} data:`,
    ancestors: "'none'",
  });
  return { ...commonHeaders(policy, FEATURES[page] ?? []), "cross-origin-opener-policy": "same-origin" };
}

/**
 * The same for the frame of a widget.
 *
 * @param sites the origins that may frame it, as browsers spell them: a page on any other one, or framed by one, gets nothing.
 * Those that do not fit into {@link MAX_ANCESTORS_LENGTH} are left out, the last ones first.
 */
export function frameHeaders(
  { baseUrl }: Pick<PageSurroundings, "baseUrl">,
  sites: readonly string[],
): Record<string, string> {
  const policy = contentSecurityPolicy(baseUrl, {
    styles: "'self'",
    pictures: "'self'",
    ancestors: ancestorsOf(sites),
  });
  return {
    ...commonHeaders(policy, []),
    // A page that isolates itself may have the frame, too, which takes both. Safari knows no `credentialless`; files come with
    // a policy of their own.
    "cross-origin-embedder-policy": "require-corp",
    "cross-origin-resource-policy": "cross-origin",
  };
}

/** The most characters of the origins in a header: proxies take 4 KiB of headers, some no more. */
const MAX_ANCESTORS_LENGTH = 2_500;

function ancestorsOf(sites: readonly string[]): string {
  let text = "";
  for (const site of sites) {
    // Stored ones may be older than the rules for them.
    if (normalOrigin(site) !== site || text.length + site.length >= MAX_ANCESTORS_LENGTH) continue;
    text += `${text && " "}${site}`;
  }
  return text || "'none'";
}

function commonHeaders(policy: string, features: readonly string[]): Record<string, string> {
  return {
    "content-security-policy": policy,
    "permissions-policy": permissionsPolicy(features),
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
  };
}

/** What differs between the policies of pages, in their terms. */
interface PolicyParts {
  styles: string;
  pictures: string;
  ancestors: string;
}

function contentSecurityPolicy(baseUrl: string, { styles, pictures, ancestors }: PolicyParts): string {
  const { origin } = new URL(baseUrl);
  // Browsers before 2022 do not take a page's own WebSockets for `'self'`.
  const streams = origin.replace(/^http/, "ws");
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${styles}`,
    // Files of messages come from the service, which may be reached without TLS.
    `img-src ${pictures} blob: ${origin}`,
    `connect-src 'self' ${streams}`,
    "font-src 'self'",
    `frame-ancestors ${ancestors}`,
    "base-uri 'none'",
    "form-action 'self'",
    "object-src 'none'",
  ].join("; ");
}

function permissionsPolicy(allowed: readonly string[]): string {
  return REFUSED_FEATURES.map((name) => `${name}=(${allowed.includes(name) ? "self" : ""})`).join(", ");
}
