/** A JSON Schema, as OpenAPI 3.1 has them. */
export type Schema = Readonly<Record<string, unknown>>;

/** The parts of OpenAPI 3.1 that the description uses (https://spec.openapis.org/oas/v3.1.1). */
export interface Media {
  schema: Schema;
  example?: unknown;
  examples?: Record<string, unknown>;
}

export interface Reference {
  $ref: string;
}

export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
  description?: string;
  schema: Schema;
  example?: unknown;
}

export interface Answer {
  description: string;
  headers?: Record<string, unknown>;
  content?: Record<string, Media>;
}

export interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  tags?: string[];
  security?: Record<string, string[]>[];
  parameters?: (Parameter | Reference)[];
  requestBody?: { required: boolean; content: Record<string, Media> };
  responses: Record<string, Answer>;
}

/** Operations by method, in lower case. */
export type PathItem = Record<string, Operation>;

export interface ApiDocument {
  openapi: "3.1.0";
  info: { title: string; version: string; description: string; license: { name: string; identifier: string } };
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, PathItem>;
  webhooks?: Record<string, PathItem>;
  components: {
    securitySchemes: Record<string, Schema>;
    parameters: Record<string, Parameter>;
    schemas: Record<string, Schema>;
    examples: Record<string, { summary: string; value: unknown }>;
  };
}
