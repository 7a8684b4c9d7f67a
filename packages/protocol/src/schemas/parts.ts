import type { TSchema } from "typebox";
import * as Type from "typebox";

/** A type that may be null. */
export function nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()]);
}

/** A time in epoch milliseconds. */
export function time(description?: string) {
  return Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description });
}

/** The query members that select a page of a list. */
export const pageQuery = {
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 })),
  pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
};

/** A page of a list, with the total number of items. */
export function pageOf<Item extends TSchema>(item: Item) {
  return Type.Object({
    items: Type.Array(item),
    total: Type.Integer(),
    page: Type.Integer(),
    pageSize: Type.Integer(),
  });
}

/** Where an export goes on. Only the service can make one, of up to some 500 characters. */
export const exportCursor = () =>
  Type.String({
    maxLength: 1024,
    description: "`nextCursor` of the page before; it counts for whoever has begun the export, and for a day",
  });

/** The number of messages, or changes of messages, in a page. */
export const pageLimit = () =>
  Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      default: 50,
      description: "At most so many; fewer where contents are large. An empty page is the end",
    }),
  );
