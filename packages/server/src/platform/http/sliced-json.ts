type Container = unknown[] | Record<string, unknown>;

const [TAB, LINE_FEED, RETURN, SPACE] = [0x09, 0x0a, 0x0d, 0x20];
const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d];

/** RFC 8259, section 6. */
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const LITERALS = new Map<number, readonly [text: string, value: unknown]>([
  [0x74, ["true", true]],
  [0x66, ["false", false]],
  [0x6e, ["null", null]],
]);
/** V8 copies a slice of so many characters, and makes a longer one refer to the whole text, which then lives as long. */
const SHORT_TEXT = 12;
/** What is parsed between two looks at the clock. */
const STEPS_A_LOOK = 32;

/**
 * Parses a text as `JSON.parse` does, to the same value, but in slices of time: that takes 40 ms for 256 KiB of nested or
 * different keys, in which a process does nothing else. This takes somewhat longer, and can stop anywhere in between.
 */
export class SlicedJson {
  readonly #text: string;
  /** Arrays and objects that have not ended, the outermost first. */
  readonly #open: Container[] = [];
  /** The keys of those of them that are in an object. */
  readonly #keys: string[] = [];
  /** The key whose value comes next, in an object. */
  #key = "";
  #at = 0;
  /** Whether the innermost container has no member yet, so that it may end. */
  #isEmpty = false;
  #isDone = false;
  #value: unknown;

  constructor(text: string) {
    this.#text = text;
  }

  /** Once all is parsed. */
  get value(): unknown {
    return this.#value;
  }

  /**
   * Goes on until it has come to the end, or is out of time.
   *
   * @param hasTime asked now and then.
   * @returns whether it has come to the end.
   * @throws SyntaxError when the text is not JSON (RFC 8259).
   */
  parse(hasTime: () => boolean): boolean {
    do {
      for (let step = 0; step < STEPS_A_LOOK && !this.#isDone; step++) this.#parseNext();
    } while (!this.#isDone && hasTime());
    return this.#isDone;
  }

  /** Parses up to the first member of a value or after its end. */
  #parseNext(): void {
    const container = this.#open.at(-1);
    const code = container === undefined ? this.#skipSpace() : this.#beginMember(container);
    if (code === OPEN_BRACKET || code === OPEN_BRACE) {
      this.#at++;
      this.#open.push(code === OPEN_BRACKET ? [] : {});
      this.#keys.push(this.#key);
      this.#isEmpty = true;
    } else if (code !== null) this.#add(this.#readScalar(code));
  }

  /** Parses what comes before a member's value, and returns how that begins; null when the container has ended instead. */
  #beginMember(container: Container): number | null {
    const isArray = Array.isArray(container);
    const code = this.#skipSpace();
    if (code === (isArray ? CLOSE_BRACKET : CLOSE_BRACE)) {
      this.#close(container);
      return null;
    }
    if (!this.#isEmpty) {
      this.#expect(COMMA);
      this.#skipSpace();
    }
    if (!isArray) {
      this.#key = this.#readText();
      this.#skipSpace();
      this.#expect(COLON);
    }
    return this.#skipSpace();
  }

  #close(container: Container): void {
    this.#at++;
    this.#open.pop();
    this.#key = this.#keys.pop() ?? "";
    this.#add(container);
  }

  #add(value: unknown): void {
    const container = this.#open.at(-1);
    this.#isEmpty = false;
    if (container === undefined) this.#end(value);
    else if (Array.isArray(container)) container.push(value);
    else if (this.#key === "__proto__") {
      Object.defineProperty(container, this.#key, { value, writable: true, enumerable: true, configurable: true });
    } else container[this.#key] = value;
  }

  #end(value: unknown): void {
    this.#skipSpace();
    if (this.#at < this.#text.length) throw unexpected();
    this.#value = value;
    this.#isDone = true;
  }

  #readScalar(code: number): unknown {
    if (code === QUOTE) return this.#readText();
    const [literal, value] = LITERALS.get(code) ?? [];
    if (literal === undefined) return this.#readNumber();
    if (!this.#text.startsWith(literal, this.#at)) throw unexpected();
    this.#at += literal.length;
    return value;
  }

  #readNumber(): number {
    NUMBER.lastIndex = this.#at;
    const [digits] = NUMBER.exec(this.#text) ?? [];
    if (digits === undefined) throw unexpected();
    this.#at += digits.length;
    return Number(digits);
  }

  #readText(): string {
    this.#expect(QUOTE);
    const from = this.#at;
    let hasEscapes = false;
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code === QUOTE) break;
      if (code === BACKSLASH) {
        hasEscapes = true;
        this.#at++;
      } else if (!(code >= SPACE)) throw unexpected();
      this.#at++;
    }
    this.#at++;
    const isCopied = hasEscapes || this.#at - from > SHORT_TEXT;
    return isCopied ? JSON.parse(this.#text.slice(from - 1, this.#at)) : this.#text.slice(from, this.#at - 1);
  }

  #expect(code: number): void {
    if (this.#text.charCodeAt(this.#at) !== code) throw unexpected();
    this.#at++;
  }

  /** Returns the code that comes then; NaN at the end. */
  #skipSpace(): number {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== SPACE && code !== LINE_FEED && code !== RETURN && code !== TAB) return code;
      this.#at++;
    }
  }
}

function unexpected(): SyntaxError {
  return new SyntaxError("the text is not JSON");
}
