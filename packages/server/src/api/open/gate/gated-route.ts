import type { Scope } from "@portico/protocol";
import type { EndpointBody, EndpointQuery, OpenEndpoint, PathParams } from "@portico/protocol/endpoints";
import type { FastifyRequest } from "fastify";
import { parseJsonBody } from "../../../platform/http/json-body.ts";
import { checkContentType } from "../../../platform/http/media-types.ts";
import { pathParams } from "../../../platform/http/path-params.ts";
import { bodyParser, queryParser } from "../../../platform/http/validate.ts";
import type { AuthenticatedCall } from "./authenticate.ts";
import type { CallOf, OpenRoute } from "./open-route.ts";

type InputParser<E extends OpenEndpoint> = (
  authenticated: AuthenticatedCall,
  request: FastifyRequest,
) => Pick<CallOf<E>, "params" | "body" | "query">;

/** What the gate needs of an endpoint, computed once. */
interface GatedEndpoint {
  scope: Scope | null;
  takesFile: boolean;
  /** Whether the work runs after the transaction that consumes the nonce. */
  isLater: boolean;
}

export interface GatedRoute<E extends OpenEndpoint, Parts, Seen> extends GatedEndpoint {
  route: OpenRoute<E, Parts, Seen>;
  parse: InputParser<E>;
}

export function gateOf(endpoint: OpenEndpoint): GatedEndpoint {
  const { method, access } = endpoint;
  const takesFile = endpoint.takesFile === true;
  return { scope: access.scope, takesFile, isLater: method === "GET" || takesFile };
}

/** The second half of step 10 and step 11: the body's type, then its shape; an upload's body is parsed later. */
export function inputParser<E extends OpenEndpoint>({ body, query, takesFile }: E): InputParser<E> {
  const parseBody = body && bodyParser(body);
  const parseQuery = query && queryParser(query);
  return (authenticated, request) => {
    if (takesFile) checkContentType(authenticated.contentType, "multipart/form-data");
    if (parseBody) checkContentType(authenticated.contentType, "application/json");
    return {
      params: pathParams(request) as PathParams<E["path"]>,
      body: parseBody?.(parseJsonBody(authenticated.body)) as EndpointBody<E>,
      query: parseQuery?.(request.query) as EndpointQuery<E>,
    };
  };
}
