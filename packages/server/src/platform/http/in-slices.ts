import { success } from "@portico/protocol";
import { JsonItems } from "./json-items.ts";
import { JsonText, writeJson } from "./json-text.ts";

/** A value with a list that is too long for memory. The list is read in slices while it is sent. */
export class InSlices<Value> {
  readonly name: string & keyof Value;
  readonly slices: AsyncIterable<JsonItems>;
  readonly rest: object;
  /** Whether there is at most one slice, so that the answer can be sent as a whole. */
  readonly isOne: boolean;
  /** The list, when it has been read as a whole: encoded, or as a text of JSON that is not long. */
  readonly whole: JsonItems | string | null;

  private constructor(
    name: string & keyof Value,
    list: AsyncIterable<JsonItems> | JsonItems | string,
    rest: object,
    isOne: boolean,
  ) {
    this.name = name;
    this.whole = list instanceof JsonItems || typeof list === "string" ? list : null;
    this.slices = list instanceof JsonItems || typeof list === "string" ? one(list) : list;
    this.rest = rest;
    this.isOne = isOne;
  }

  /**
   * @param name name of the list, the value's first member.
   * @param slices each is read after the previous one was sent, and must be on disk by then.
   * @param rest the other members, which follow.
   * @param isOne whether there is certainly at most one slice.
   */
  static of<Value, Name extends string & keyof Value>(
    name: Name,
    slices: AsyncIterable<JsonItems>,
    rest: Omit<Value, Name>,
    isOne = false,
  ): InSlices<Value> {
    return new InSlices<Value>(name, slices, rest, isOne);
  }

  /** A value whose list has been read as a whole. */
  static whole<Value, Name extends string & keyof Value>(
    name: Name,
    items: JsonItems | string,
    rest: Omit<Value, Name>,
  ): InSlices<Value> {
    return new InSlices<Value>(name, items, rest, true);
  }

  /** The same value, with an effect after the last slice has been read or reading has been abandoned. */
  finally(effect: () => void): InSlices<Value> {
    return new InSlices<Value>(this.name, followed(this.slices, effect), this.rest, this.isOne);
  }
}

async function* one(items: JsonItems | string): AsyncGenerator<JsonItems> {
  yield typeof items === "string" ? JsonItems.of(items === "" ? [] : [new JsonText(items)]) : items;
}

async function* followed<Slice>(slices: AsyncIterable<Slice>, effect: () => void): AsyncGenerator<Slice> {
  try {
    yield* slices;
  } finally {
    effect();
  }
}

/** A successful envelope without value and reqNo: what comes before, between and after them. */
const ENVELOPE = writeJson(success(new JsonText("\n"), "\t")).split(/\n|"\\t"/);

/** The texts before and after the items of a list, in the successful envelope of a value. */
function around({ name, rest }: InSlices<never>, reqNo: string): { before: string; after: string } {
  const [head = "", middle = "", end = ""] = ENVELOPE;
  const others = writeJson(rest).slice(1);
  return {
    before: `${head}{${JSON.stringify(name)}:[`,
    after: `]${others === "}" ? "" : ","}${others}${middle}${JSON.stringify(reqNo)}${end}`,
  };
}

/** The successful envelope of a value whose list has been read as a whole. */
export function wholeEnvelope<Items extends JsonItems | string>(
  value: InSlices<never>,
  items: Items,
  reqNo: string,
): Items extends string ? string : Buffer;
export function wholeEnvelope(value: InSlices<never>, items: JsonItems | string, reqNo: string): Buffer | string {
  const { before, after } = around(value, reqNo);
  return typeof items === "string" ? before + items + after : items.takeWithin(before, after);
}

/** The successful envelope of such a value, in pieces of JSON; a slice is a piece. */
export async function* envelopeInPieces(value: InSlices<never>, reqNo: string): AsyncGenerator<JsonItems> {
  const { before, after } = around(value, reqNo);
  let lead = before;
  for await (const slice of value.slices) {
    if (slice.isEmpty) continue;
    yield asIs(lead);
    lead = ",";
    yield slice;
  }
  yield asIs(`${lead === "," ? "" : lead}${after}`);
}

function asIs(text: string): JsonItems {
  return JsonItems.of([new JsonText(text)]);
}
