/** As much of a JSON schema as the calls' schemas use. */
export interface JsonSchema {
  type?: string;
  enum?: readonly unknown[];
  const?: unknown;
  anyOf?: readonly JsonSchema[];
  properties?: Readonly<Record<string, JsonSchema>>;
  required?: readonly string[];
  items?: JsonSchema;
  description?: string;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  default?: unknown;
}

/** What a form asks for in place of a schema. */
export type Field = { description: string | undefined; usual: string | undefined } & (
  | { kind: "text"; maxLength: number | undefined }
  | { kind: "number"; isWhole: boolean; min: number | undefined; max: number | undefined }
  | { kind: "choice"; values: readonly unknown[] }
  | { kind: "group"; members: readonly Member[] }
  | { kind: "list"; item: Field }
  | { kind: "either"; variants: readonly { name: string; field: Field }[] }
  /** Anything: what has no fields of its own is written as JSON. */
  | { kind: "json" }
);

/** A member of an object. */
export interface Member {
  name: string;
  isRequired: boolean;
  field: Field;
}

/** The field of a schema. That a value may be null is left to the JSON view: in a form it is left out instead. */
export function fieldOf(schema: JsonSchema): Field {
  const variants = schema.anyOf?.filter(({ type }) => type !== "null");
  const [only] = variants ?? [];
  if (variants?.length === 1 && only !== undefined) return fieldOf({ ...schema, anyOf: undefined, ...only });
  const told = {
    description: schema.description,
    usual: schema.default === undefined ? undefined : JSON.stringify(schema.default),
  };
  if (variants !== undefined) {
    const constants = variants.flatMap((each) => ("const" in each ? [each.const] : []));
    if (constants.length === variants.length) return { ...told, kind: "choice", values: constants };
    return {
      ...told,
      kind: "either",
      variants: variants.map((each) => ({ name: nameOf(each), field: fieldOf(each) })),
    };
  }
  return { ...told, ...kindOf(schema) };
}

type Kind = Field extends infer Each ? (Each extends Field ? Omit<Each, "description" | "usual"> : never) : never;

function kindOf(schema: JsonSchema): Kind {
  if (schema.enum !== undefined) return { kind: "choice", values: schema.enum };
  if ("const" in schema) return { kind: "choice", values: [schema.const] };
  switch (schema.type) {
    case "string":
      return { kind: "text", maxLength: schema.maxLength };
    case "integer":
    case "number":
      return { kind: "number", isWhole: schema.type === "integer", min: schema.minimum, max: schema.maximum };
    case "boolean":
      return { kind: "choice", values: [true, false] };
    case "array":
      return { kind: "list", item: fieldOf(schema.items ?? {}) };
    case "object": {
      const members = membersOf(schema);
      return members.length === 0 ? { kind: "json" } : { kind: "group", members };
    }
    default:
      return { kind: "json" };
  }
}

/** The members of an object's schema, the required ones first. */
export function membersOf({ properties = {}, required = [] }: JsonSchema): Member[] {
  const members = Object.entries(properties).map(([name, schema]) => ({
    name,
    isRequired: required.includes(name),
    field: fieldOf(schema),
  }));
  return members.sort((a, b) => Number(b.isRequired) - Number(a.isRequired));
}

function nameOf({ description, type = "JSON" }: JsonSchema): string {
  return description ?? type;
}

/** An object with one member set; with `undefined` it is taken out. Members that the form does not know stay. */
export function withMember(value: unknown, name: string, member: unknown): Record<string, unknown> {
  const next = { ...asObject(value) };
  if (member === undefined) delete next[name];
  else next[name] = member;
  return next;
}

/** The members of an object; none of anything else. */
export function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}
