import { success } from "@portico/protocol";
import { JsonText, writeJson } from "./json-text.ts";

/** A value with a list that is too long for memory: it is read in slices while it is sent. */
export class InSlices<Value> {
  readonly name: string & keyof Value;
  readonly slices: AsyncIterable<readonly unknown[]>;
  readonly rest: object;
  /** Whether there is one slice at most, so that it can as well be answered whole. */
  readonly isOne: boolean;

  private constructor(
    name: string & keyof Value,
    slices: AsyncIterable<readonly unknown[]>,
    rest: object,
    isOne: boolean,
  ) {
    this.name = name;
    this.slices = slices;
    this.rest = rest;
    this.isOne = isOne;
  }

  /**
   * @param name of the list, the value's first member.
   * @param slices each read once the one before has been taken, and on disk by then.
   * @param rest the other members, which follow.
   * @param isOne whether it is known that there is one slice at most.
   */
  static of<Value, Name extends string & keyof Value>(
    name: Name,
    slices: AsyncIterable<readonly unknown[]>,
    rest: Omit<Value, Name>,
    isOne = false,
  ): InSlices<Value> {
    return new InSlices<Value>(name, slices, rest, isOne);
  }

  /** The same, with something done once the last slice has been read, or none will be. */
  finally(effect: () => void): InSlices<Value> {
    return new InSlices<Value>(this.name, followed(this.slices, effect), this.rest, this.isOne);
  }
}

async function* followed<Slice>(slices: AsyncIterable<Slice>, effect: () => void): AsyncGenerator<Slice> {
  try {
    yield* slices;
  } finally {
    effect();
  }
}

/** The successful envelope of such a value, as JSON text in pieces. */
export async function* envelopeInPieces(
  { name, slices, rest }: InSlices<never>,
  reqNo: string,
): AsyncGenerator<string> {
  const [before = "", after = ""] = writeJson(success(new JsonText(""), reqNo)).split(/(?<="value":)/);
  let lead = `${before}{${JSON.stringify(name)}:[`;
  for await (const slice of slices) {
    if (slice.length === 0) continue;
    yield lead + slice.map(writeJson).join(",");
    lead = ",";
  }
  const others = writeJson(rest).slice(1);
  yield `${lead === "," ? "" : lead}]${others === "}" ? "" : ","}${others}${after}`;
}
