import { compactJson } from "../cards/compact-json.ts";
import { type Endpoint, type EndpointInput, type EndpointValue, hasShape, pathOf } from "../endpoints/index.ts";
import { TransportError } from "./errors.ts";

/** What a call carries: a text of JSON, a file, or nothing. */
export type CallBody = { readonly json: string } | { readonly file: Blob; readonly fileName: string } | null;

/** A call of an endpoint, ready to be carried out. */
export interface EndpointCall {
  endpoint: Endpoint;
  /** Path and query, percent-encoded. */
  target: string;
  body: CallBody;
}

/** A success, as it came. */
export interface Success {
  value: unknown;
  /** Names the call in the service's log; null where the API's answers do not tell it. */
  reqNo: string | null;
  httpStatus: number;
}

/**
 * Carries a call out, and reads its answer.
 *
 * @throws ApiRefusedError when the service refuses; TransportError when no verdict arrives.
 */
export type Exchange<Options> = (call: EndpointCall, options: Options | undefined) => Promise<Success>;

/** Makes one call; the input may be left out where nothing in it is needed. */
type Method<E extends Endpoint, Options> =
  Partial<EndpointInput<E>> extends EndpointInput<E>
    ? (input?: EndpointInput<E>, options?: Options) => Promise<EndpointValue<E>>
    : (input: EndpointInput<E>, options?: Options) => Promise<EndpointValue<E>>;

/** A method for each endpoint of a list, by the name of its operation. */
export type ApiClient<List extends Readonly<Record<string, Endpoint>>, Options> = {
  readonly [Name in keyof List]: Method<List[Name], Options>;
};

/**
 * A client of an API, derived from the list of its endpoints.
 *
 * @param exchange carries the calls out; `Options` is what it may be told of one of them.
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
      promisedValue(endpoint, await exchange(toCall(endpoint, input), options));
    return [name, call];
  });
  return Object.fromEntries(methods) as ApiClient<List, Options>;
}

/**
 * The value of a success.
 *
 * @throws TransportError when it has not the members that the endpoint promises.
 */
export function promisedValue<E extends Endpoint>(
  endpoint: E,
  { value, reqNo, httpStatus }: Success,
): EndpointValue<E> {
  if (hasShape(endpoint.value, value)) return value as EndpointValue<E>;
  const name = reqNo === null ? "" : ` (reqNo ${reqNo})`;
  const message = `${endpoint.method} ${endpoint.path}: a success whose value is not what the call promises${name}`;
  throw new TransportError(message, { cause: undefined, httpStatus });
}

/** What a caller gives, whatever the endpoint. */
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

/** With its question mark; a member that is undefined is left out. */
function queryString(query: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const pairs = given.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`);
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}
