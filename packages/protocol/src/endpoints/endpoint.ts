import type { Static, TObject, TSchema } from "typebox";

/** The names of the parameters in a path such as `/groups/:groupId/members/:userId`. */
type ParamName<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer Tail}`
    ? Name | ParamName<`/${Tail}`>
    : Rest
  : never;

/** The parameters of a path, each a text. */
export type PathParams<Path extends string> = { readonly [Name in ParamName<Path>]: string };

export type HttpMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * One call of an API, described once: the server registers it, clients and the reference are derived from it.
 *
 * `Access` says who may call, in the terms of the API (a scope, a role); `ErrorName` names the rows of its error table.
 */
export interface Endpoint<
  Path extends string = string,
  Query extends TObject | undefined = TObject | undefined,
  Body extends TSchema | undefined = TSchema | undefined,
  Value extends TSchema = TSchema,
  Access = unknown,
  ErrorName extends string = string,
> {
  readonly method: HttpMethod;
  /** The whole path, from the service's origin. A parameter is `:name`. */
  readonly path: Path;
  /** What it does, in a few words. */
  readonly summary: string;
  readonly access: Access;
  readonly query?: Query;
  readonly body?: Body;
  /** Whether the body may be left out; it then counts as an empty object. */
  readonly bodyOptional?: true;
  /** Set where the body is a form with one file instead of JSON. */
  readonly takesFile?: true;
  /** What a success answers with. */
  readonly value: Value;
  /** Errors that this call can answer with beside those that every call of the API can. */
  readonly errors: readonly ErrorName[];
}

/** A query as it is given: it may be left out where each of its members may. */
type QueryInput<Query> = Query extends undefined
  ? { query?: undefined }
  : Partial<Query> extends Query
    ? { query?: Query }
    : { query: Query };

/** What a caller gives: parameters of the path, query and body, each where the endpoint has one. */
export type EndpointInput<E extends Endpoint> = (keyof PathParams<E["path"]> extends never
  ? { params?: undefined }
  : { params: PathParams<E["path"]> }) &
  QueryInput<EndpointQuery<E>> &
  (E["takesFile"] extends true
    ? { file: Blob; fileName: string; body?: undefined }
    : E["body"] extends TSchema
      ? E["bodyOptional"] extends true
        ? { body?: Static<E["body"]> }
        : { body: Static<E["body"]> }
      : { body?: undefined });

/** What the body of a call is read as; undefined where there is none. */
export type EndpointBody<E extends Endpoint> = E["body"] extends TSchema ? Static<E["body"]> : undefined;

/** What the query of a call is read as; undefined where there is none. */
export type EndpointQuery<E extends Endpoint> = E["query"] extends TObject ? Static<E["query"]> : undefined;

/** What a success answers with. */
export type EndpointValue<E extends Endpoint> = Static<E["value"]>;

/** The path with its parameters filled in, each percent-encoded. @throws RangeError for a parameter that is missing. */
export function pathOf<E extends Endpoint>(endpoint: E, params: Readonly<Record<string, string>> = {}): string {
  return endpoint.path.replace(/:([A-Za-z]\w*)/g, (_match, name: string) => {
    const value = params[name];
    if (value === undefined) throw new RangeError(`${endpoint.path} needs ${name}`);
    return encodeURIComponent(value);
  });
}
