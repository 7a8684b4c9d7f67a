import type { WidgetApp } from "@portico/protocol/schemas";

/** How long the settings may take. */
const SETTINGS_MS = 10_000;

/** Codes of refusals that an allowed site can read, and what they mean for its owner. */
const REFUSALS: Readonly<Record<string, (appId: string) => string>> = {
  400005: (appId) => `application ${appId} is disabled, or not for customer service`,
  400008: () => notAllowed(),
};

const notAllowed = () => `origin ${location.origin} is not allowed: add it under Widget, Sites, in the console`;

/**
 * Reads how the widget looks.
 *
 * @throws Error with the reason, in words for the site's developer, when there is to be no widget.
 */
export async function readSettings(service: string, appId: string): Promise<WidgetApp> {
  const url = `${service}/api/widget/v1/apps/${encodeURIComponent(appId)}`;
  const signal = AbortSignal.timeout(SETTINGS_MS);
  let answer: Response;
  try {
    answer = await fetch(url, { credentials: "omit", signal });
  } catch (cause) {
    throw new Error(await unreadable(service, appId, url, signal), { cause });
  }
  const { code, message, value }: { code: string; message: string; value: WidgetApp } = await answer.json();
  if (!answer.ok) throw new Error(REFUSALS[code]?.(appId) ?? `${service} answers ${code} ${message}`);
  return value;
}

/** Why there is no answer that the page may read: a site that is not allowed may read nothing, not even that. */
async function unreadable(service: string, appId: string, url: string, signal: AbortSignal): Promise<string> {
  try {
    await fetch(url, { credentials: "omit", mode: "no-cors", signal });
    return `${notAllowed()}. If it is there, ${appId} is unknown: no application of ${service} has that data-app-id`;
  } catch {
    return `${service} cannot be reached from this page: the service is down, or connect-src of the page's Content-Security-Policy lacks it`;
  }
}
