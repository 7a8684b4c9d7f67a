/** The same in every copy of this file: packages that are published contain their own. */
const RAW = Symbol.for("@portico/protocol/raw-json");
const FOUND = "RawJsonFound";

/** JSON in a body that is sent as it stands: numbers keep their spelling and members their order, as in the text. */
export class RawJson {
  readonly text: string;
  readonly [RAW] = true;

  /** @param text valid JSON. */
  constructor(text: string) {
    this.text = text;
  }

  /** `JSON.stringify` cannot write it; `compactJson` then does. */
  toJSON(): never {
    throw Object.assign(new Error("raw JSON is written by compactJson alone"), { name: FOUND });
  }
}

export function isRawJson(value: object): value is RawJson {
  return RAW in value;
}

/** Whether an error of `JSON.stringify` means that it has met a {@link RawJson}. */
export function isRawJsonFound(error: unknown): boolean {
  return error instanceof Error && error.name === FOUND;
}
