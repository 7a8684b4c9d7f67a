import type { Static, TObject, TSchema } from "typebox";

/** The parameter names of a path such as `/groups/:groupId/members/:userId`. */
type ParamName<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer Tail}`
    ? Name | ParamName<`/${Tail}`>
    : Rest
  : never;

/** The values of a path's parameters. */
export type PathParams<Path extends string> = { readonly [Name in ParamName<Path>]: string };

export type HttpMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * A call of an API. The server registers it, and clients and the reference are derived from it.
 *
 * `Access` is the access rule, in the terms of the API (a scope, a role). `ErrorName` names the rows of its error
 * table.
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
  /** The complete path from the origin. A parameter is `:name`. */
  readonly path: Path;
  /** A short description. */
  readonly summary: string;
  readonly access: Access;
  readonly query?: Query;
  readonly body?: Body;
  /** Whether the body is optional; a missing one counts as an empty object. */
  readonly bodyOptional?: true;
  /** Set when the body is a form with one file instead of JSON. */
  readonly takesFile?: true;
  /** The value of a successful answer. */
  readonly value: Value;
  /** The errors of this call, without those of every call of the API. */
  readonly errors: readonly ErrorName[];
}

/** The input for a query; optional when all its members are. */
type QueryInput<Query> = Query extends undefined
  ? { query?: undefined }
  : Partial<Query> extends Query
    ? { query?: Query }
    : { query: Query };

/** The input of a call: path parameters, query and body, as far as the endpoint has them. */
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

/** The parsed body of a call; undefined when there is none. */
export type EndpointBody<E extends Endpoint> = E["body"] extends TSchema ? Static<E["body"]> : undefined;

/** The parsed query of a call; undefined when there is none. */
export type EndpointQuery<E extends Endpoint> = E["query"] extends TObject ? Static<E["query"]> : undefined;

/** The value of a successful answer. */
export type EndpointValue<E extends Endpoint> = Static<E["value"]>;

/**
 * The path with its parameters percent-encoded.
 *
 * @throws RangeError when a parameter is missing.
 */
export function pathOf<E extends Endpoint>(endpoint: E, params: Readonly<Record<string, string>> = {}): string {
  return endpoint.path.replace(/:([A-Za-z]\w*)/g, (_match, name: string) => {
    const value = params[name];
    if (value === undefined) throw new RangeError(`${endpoint.path} needs ${name}`);
    return encodeURIComponent(value);
  });
}
