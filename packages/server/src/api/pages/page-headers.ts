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
  return {
    "content-security-policy": contentSecurityPolicy(baseUrl, imageProxy),
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": permissionsPolicy(FEATURES[page] ?? []),
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
  };
}

function contentSecurityPolicy(baseUrl: string, isProxied: boolean): string {
  const { origin } = new URL(baseUrl);
  // Browsers before 2022 do not take a page's own WebSockets for `'self'`.
  const streams = origin.replace(/^http/, "ws");
  return [
    "default-src 'none'",
    "script-src 'self'",
    // Ant Design writes the rules of its components into style elements.
    "style-src 'self' 'unsafe-inline'",
    // Pictures come from anywhere, unless the service fetches them; files of messages from the service, which may be reached without TLS.
    `img-src 'self'${isProxied ? "" : " https:"} data: blob: ${origin}`,
    `connect-src 'self' ${streams}`,
    "font-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "object-src 'none'",
  ].join("; ");
}

function permissionsPolicy(allowed: readonly string[]): string {
  return REFUSED_FEATURES.map((name) => `${name}=(${allowed.includes(name) ? "self" : ""})`).join(", ");
}
