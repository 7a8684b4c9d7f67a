import { compactJson } from "../cards/compact-json.ts";
import { type Endpoint, type EndpointInput, type EndpointValue, hasShape, pathOf } from "../endpoints/index.ts";
import { TransportError } from "./errors.ts";

/** The body of a call: JSON text, a file, or nothing. */
export type CallBody = { readonly json: string } | { readonly file: Blob; readonly fileName: string } | null;

/** A call of an endpoint, ready to send. */
export interface EndpointCall {
  endpoint: Endpoint;
  /** Path and query, percent-encoded. */
  target: string;
  body: CallBody;
}

/** A successful answer. */
export interface Success {
  value: unknown;
  /** Identifies the call in the service's logs; null when the API's answers do not include it. */
  reqNo: string | null;
  httpStatus: number;
}

/**
 * Sends a call and reads its answer.
 *
 * @throws ApiRefusedError when the service refuses the call; TransportError when no valid answer arrives.
 */
export type Exchange<Options> = (call: EndpointCall, options: Options | undefined) => Promise<Success>;

/** A method that makes one call. Its input is optional when no part of it is required. */
type Method<E extends Endpoint, Options> =
  Partial<EndpointInput<E>> extends EndpointInput<E>
    ? (input?: EndpointInput<E>, options?: Options) => Promise<EndpointValue<E>>
    : (input: EndpointInput<E>, options?: Options) => Promise<EndpointValue<E>>;

/** The methods of a client: one for each endpoint of a list, by operation name. */
export type ApiClient<List extends Readonly<Record<string, Endpoint>>, Options> = {
  readonly [Name in keyof List]: Method<List[Name], Options>;
};

/**
 * Creates the client of an API from the list of its endpoints.
 *
 * @param exchange sends the calls; `Options` are its options for a single call.
 *
 * @example
 * const client = createApiClient(CLIENT_ENDPOINTS, bearerExchange({ baseUrl, token }));
 * const { items } = await client.listMessages({ params: { conversationId }, query: { limit: 20 } });
 */
export function createApiClient<List extends Readonly<Record<string, Endpoint>>, Options>(
  endpoints: List,
  exchange: Exchange<Options>,
): ApiClient<List, Options> {
  const methods = Object.entries(endpoints).map(([name, endpoint]) => {
    const call = async (input?: AnyInput, options?: Options) =>
      checkedValue(endpoint, await exchange(toCall(endpoint, input), options));
    return [name, call];
  });
  return Object.fromEntries(methods) as ApiClient<List, Options>;
}

/**
 * The value of a successful answer.
 *
 * @throws TransportError when it lacks members that the endpoint's schema requires.
 */
export function checkedValue<E extends Endpoint>(endpoint: E, { value, reqNo, httpStatus }: Success): EndpointValue<E> {
  if (hasShape(endpoint.value, value)) return value as EndpointValue<E>;
  const name = reqNo === null ? "" : ` (reqNo ${reqNo})`;
  const message = `${endpoint.method} ${endpoint.path}: a success whose value is not what the call promises${name}`;
  throw new TransportError(message, { cause: undefined, httpStatus });
}

/** The input of any endpoint. */
interface AnyInput {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, unknown>>;
  body?: unknown;
  file?: Blob;
  fileName?: string;
}

function toCall(
  endpoint: Endpoint,
  { params, query = {}, body, file, fileName = "file" }: AnyInput = {},
): EndpointCall {
  const target = pathOf(endpoint, params) + queryString(query);
  if (file !== undefined) return { endpoint, target, body: { file, fileName } };
  return { endpoint, target, body: body === undefined ? null : { json: compactJson(body) } };
}

/** Includes the question mark; undefined members are left out. */
function queryString(query: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const pairs = given.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`);
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}
