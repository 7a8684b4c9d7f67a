import type { TSchema } from "typebox";

/** The parts of a schema that {@link hasShape} uses. */
interface Shape {
  type?: string;
  anyOf?: Shape[];
  enum?: unknown[];
  const?: unknown;
  required?: string[];
  properties?: Record<string, Shape>;
  patternProperties?: Record<string, Shape>;
  items?: Shape;
}

/**
 * Whether a value has the members that its schema requires, with the right types, at every depth. Does not restrict
 * texts and numbers to the listed values: a newer service may answer with a state that this version does not know.
 */
export function hasShape(schema: TSchema, value: unknown): boolean {
  return fits(schema, value);
}

function fits(shape: Shape, value: unknown): boolean {
  if (shape.anyOf !== undefined) return shape.anyOf.some((option) => fits(option, value));
  const known = shape.enum ?? (shape.const === undefined ? undefined : [shape.const]);
  if (known !== undefined) return known.some((each) => typeof each === typeof value);
  switch (shape.type) {
    case "object":
      return isObject(value) && fitsObject(shape, value);
    case "array":
      return Array.isArray(value) && value.every((item) => fits(shape.items ?? {}, item));
    case "integer":
      return Number.isInteger(value);
    case "null":
      return value === null;
    case "string":
    case "number":
    case "boolean":
      return typeof value === shape.type;
    default:
      return true;
  }
}

function fitsObject({ required = [], properties = {}, patternProperties = {} }: Shape, value: object): boolean {
  if (!required.every((name) => Object.hasOwn(value, name))) return false;
  const [others = {}] = Object.values(patternProperties);
  return Object.entries(value).every(([name, member]) =>
    fits(Object.hasOwn(properties, name) ? (properties[name] ?? {}) : others, member),
  );
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
