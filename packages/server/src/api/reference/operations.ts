import type { ConsoleEndpoint, Endpoint } from "@portico/protocol/endpoints";
import { formErrors, NO_CONTENT } from "@portico/protocol/endpoints";
import { apiResultSchema, FileFormSchema } from "@portico/protocol/schemas";
import type { ApiPart } from "./api-parts.ts";
import { exampleOf } from "./examples.ts";
import type { Models } from "./models.ts";
import type { Answer, Media, Operation, Parameter, PathItem, Reference } from "./openapi.ts";
import type { Refusals } from "./refusals.ts";
import { parameter, SIGNATURE, SIGNED_PARAMETERS } from "./security.ts";

/** Describes the endpoints of the API's parts. */
export class Operations {
  readonly #models: Models;
  readonly #refusals: Refusals;

  constructor(models: Models, refusals: Refusals) {
    this.#models = models;
    this.#refusals = refusals;
  }

  /** The operations of these parts, by path and method. */
  paths(parts: readonly ApiPart[]): Record<string, PathItem> {
    const paths: Record<string, PathItem> = {};
    for (const part of parts) {
      for (const [name, endpoint] of Object.entries(part.endpoints)) {
        const path = endpoint.path.replaceAll(/:(\w+)/g, "{$1}");
        paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: this.#operation(part, name, endpoint) };
      }
    }
    return paths;
  }

  #operation(part: ApiPart, name: string, endpoint: Endpoint): Operation {
    const security = part.securityOf(endpoint, name);
    const parameters = [
      ...(security.includes(SIGNATURE) ? SIGNED_PARAMETERS : []),
      ...tenantOf(endpoint),
      ...pathParameters(endpoint.path),
      ...this.#queryParameters(endpoint),
    ];
    const requestBody = this.#requestBody(endpoint);
    const codes = [...part.errorsOf(endpoint), ...formErrors(endpoint)];
    return {
      operationId: `${part.prefix}.${name}`,
      summary: endpoint.summary,
      tags: [part.tag],
      security: security.map((scheme) => ({ [scheme]: [] })),
      ...(parameters.length > 0 && { parameters }),
      ...(requestBody && { requestBody }),
      responses: {
        ...this.#success(part, endpoint),
        ...this.#refusals.answers(codes, part.refusals),
      },
    };
  }

  #queryParameters({ query }: Endpoint): Parameter[] {
    if (query === undefined) return [];
    const required = new Set<string>(query.required);
    return Object.entries(query.properties).map(([name, schema]) => {
      const described = this.#models.describe(schema);
      const { description } = described;
      return {
        name,
        in: "query",
        required: required.has(name),
        ...(typeof description === "string" && { description }),
        schema: described,
      };
    });
  }

  #requestBody({ body, bodyOptional, takesFile }: Endpoint): Operation["requestBody"] {
    if (takesFile) return { required: true, content: { "multipart/form-data": this.#media(FileFormSchema) } };
    if (body === undefined) return undefined;
    return { required: !bodyOptional, content: { "application/json": this.#media(body) } };
  }

  #success({ answers }: ApiPart, { value }: Endpoint): Record<string, Answer> {
    if (value === NO_CONTENT) return { "204": { description: "Done" } };
    const schema = answers === "envelope" ? apiResultSchema(value) : value;
    return { "200": { description: "Done", content: { "application/json": this.#media(schema, SUCCESS) } } };
  }

  #media(schema: object, changes: object = {}): Media {
    const described = this.#models.describe(schema);
    const example = exampleOf(described, this.#models.schemas);
    const isEnvelope = isObject(example) && "reqNo" in example && "value" in example;
    return { schema: described, example: isEnvelope ? { ...example, ...changes } : example };
  }
}

/** The first members of the envelope of a success. */
const SUCCESS = { code: "000000", message: "success" };

function tenantOf(endpoint: Endpoint): Reference[] {
  const { tenant } = endpoint as Partial<ConsoleEndpoint>;
  if (tenant === undefined) return [];
  return [parameter(tenant === "optional" ? "TenantOptional" : "Tenant")];
}

function pathParameters(path: string): Parameter[] {
  return Array.from(path.matchAll(/:(\w+)/g), ([, name = ""]) => {
    const schema = { type: "string" };
    return { name, in: "path", required: true, schema, example: String(exampleOf(schema, {}, name)) };
  });
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
