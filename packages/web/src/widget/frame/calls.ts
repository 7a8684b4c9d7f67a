import { ApiRefusedError } from "@portico/protocol/client/errors";
import { exchange, readEnvelope } from "@portico/protocol/client/exchange";
import type { EndpointInput, EndpointValue, WIDGET_ENDPOINTS } from "@portico/protocol/endpoints";

type Endpoints = typeof WIDGET_ENDPOINTS;
type CallName = keyof Endpoints;

/** The addresses of the calls; the compiler compares them with the contract, whose schemas would triple the frame. */
const ADDRESSES: { readonly [Name in CallName]: Pick<Endpoints[Name], "method" | "path"> } = {
  getApp: { method: "GET", path: "/api/widget/v1/apps/:appId" },
  createVisitor: { method: "POST", path: "/api/widget/v1/visitors" },
  signOut: { method: "POST", path: "/api/widget/v1/auth/logout" },
  getSession: { method: "GET", path: "/api/widget/v1/session" },
  listMessages: { method: "GET", path: "/api/widget/v1/messages" },
  postMessage: { method: "POST", path: "/api/widget/v1/messages" },
  rateSession: { method: "POST", path: "/api/widget/v1/rating" },
  uploadFile: { method: "POST", path: "/api/widget/v1/files" },
};

const TIMEOUT_MS = 15_000;
const UPLOAD_TIMEOUT_MS = 300_000;

/**
 * Makes a call of the widget's API.
 *
 * @param token the visitorToken; null for a call that needs none.
 * @throws ApiRefusedError when the service refuses it; TransportError when no answer arrives.
 */
export async function call<Name extends CallName>(
  name: Name,
  token: string | null,
  input: EndpointInput<Endpoints[Name]> = {} as EndpointInput<Endpoints[Name]>,
): Promise<EndpointValue<Endpoints[Name]>> {
  const { method, path } = ADDRESSES[name];
  const { params = {}, query = {}, body, file, fileName } = input as AnyInput;
  const url = new URL(
    path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(params[key] ?? "")),
    location.origin,
  );
  for (const [key, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(key, String(value));
  const headers: Record<string, string> = { Accept: "application/json" };
  if (token !== null) headers.Authorization = `Bearer ${token}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const request = { method, url, headers, body: file ? formOf(file, fileName) : body && JSON.stringify(body) };
  const { content, httpStatus, retryAfterSeconds } = await exchange(
    request as Parameters<typeof exchange>[0],
    { fetch: window.fetch, timeoutMs: file ? UPLOAD_TIMEOUT_MS : TIMEOUT_MS },
    readEnvelope,
  );
  if (httpStatus >= 400) throw new ApiRefusedError({ ...content, httpStatus, retryAfterSeconds });
  return content.value as EndpointValue<Endpoints[Name]>;
}

interface AnyInput {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, unknown>>;
  body?: unknown;
  file?: Blob;
  fileName?: string;
}

function formOf(file: Blob, fileName = "file"): FormData {
  const form = new FormData();
  form.set("file", file, fileName);
  return form;
}
