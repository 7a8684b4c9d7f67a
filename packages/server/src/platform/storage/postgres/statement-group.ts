import pg from "pg";
import { Skipped } from "./skipped.ts";

/** A statement to run, and its parameters. With a name it is prepared under it, and the text is sent only once. */
export interface StatementCall {
  text: string;
  name?: string | undefined;
  values?: readonly unknown[];
}

/** What a statement has returned. */
export interface StatementResult {
  rows: Record<string, unknown>[];
  /** The rows that it has changed or returned; null for a statement without rows, such as `begin`. */
  rowCount: number | null;
  /** The first word of what the server calls it. */
  command: string;
}

/** A parameter as it is sent. */
type Written = string | Buffer | null;

/** The columns of a prepared statement's rows. The server refuses to run one whose columns are no longer the same. */
export interface RowShape {
  names: string[];
  parsers: ((text: string) => unknown)[];
}

/** A named statement in a group, and the callbacks of its promise. */
export interface GroupedCall {
  name: string;
  text: string;
  values: Written[];
  resolve(result: StatementResult): void;
  reject(error: unknown): void;
}

interface RowDescription {
  fields: { name: string; dataTypeID: number }[];
}

/** The connection on which a group is sent. */
export interface GroupConnection {
  /** The columns of its prepared statements that have run, by their names. */
  readonly shapes: Map<string, RowShape>;
  typeParser(oid: number): (text: string) => unknown;
  /** Is told that the server has carried out one more statement. */
  heard(): void;
  /** Is told that all statements of the oldest group are answered. */
  settled(): void;
}

/** Names and texts of statements, by connection; the driver keeps these two in step with the server. */
interface DriversNotes {
  parsedStatements: Record<string, string>;
  submittedNamedStatements: Record<string, string>;
}

/**
 * Prepared statements that are sent in one piece and end with one Sync: in a transaction, where the failure of one is the
 * failure of all. The server then answers them in one piece, too; after a Sync for each it would write, and wake this process,
 * as often as there are statements. The rows of a statement are described only the first time.
 *
 * See PostgreSQL's documentation, "Message Flow", "Extended Query" and "Pipelining".
 */
export class StatementGroup extends pg.Query {
  declare name: string | undefined;
  declare text: string;
  readonly #calls: GroupedCall[] = [];
  readonly #connection: GroupConnection;
  readonly #isInTransaction: boolean;
  /** Those answered so far; so also the place of the one whose answer arrives. */
  #answered = 0;
  #shape: RowShape | undefined;
  #rows: Record<string, unknown>[] = [];
  /** What was wrong with a row. */
  #malformed: unknown = null;
  readonly #results: StatementResult[] = [];

  /** @param isInTransaction whether its statements belong to one that has begun. Otherwise its Sync commits them. */
  constructor(connection: GroupConnection, isInTransaction: boolean) {
    super("");
    this.#connection = connection;
    this.#isInTransaction = isInTransaction;
  }

  /** The number of statements whose answers have not arrived. The server keeps answers until it has a whole piece of them. */
  get unanswered(): number {
    return this.#calls.length - this.#answered;
  }

  add(call: GroupedCall): void {
    this.#calls.push(call);
  }

  /** Called by the driver, as are those that follow: sends the group. */
  override readonly submit = (connection: pg.Connection): void => {
    try {
      this.#send(connection as pg.Connection & DriversNotes);
    } catch (error) {
      // Some of it may be on its way, without its end.
      connection.stream.destroy(error instanceof Error ? error : undefined);
    }
    this.#next();
  };

  #send(connection: pg.Connection & DriversNotes): void {
    for (const { name, text, values } of this.#calls) {
      if (connection.parsedStatements[name] === undefined && connection.submittedNamedStatements[name] === undefined) {
        connection.parse({ name, text, types: [] }, true);
        connection.submittedNamedStatements[name] = text;
      }
      connection.bind({ statement: name, values }, true);
      if (!this.#connection.shapes.has(name)) connection.describe({ type: "P" }, true);
      connection.execute(null, true);
    }
    connection.sync();
  }

  handleRowDescription({ fields }: RowDescription): void {
    this.#shape = {
      names: fields.map(({ name }) => name),
      parsers: fields.map(({ dataTypeID }) => this.#connection.typeParser(dataTypeID)),
    };
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    try {
      if (this.#shape === undefined) throw new Error("PostgreSQL sent a row that it has not described");
      this.#rows.push(rowOf(this.#shape, fields));
    } catch (error) {
      this.#malformed ??= error;
    }
  }

  handleCommandComplete({ text }: { text: string }): void {
    const { name } = this;
    const { shapes } = this.#connection;
    if (name !== undefined && !shapes.has(name)) shapes.set(name, this.#shape ?? NO_COLUMNS);
    this.#results.push({ rows: this.#rows, ...commandOf(text) });
    this.#answered++;
    this.#connection.heard();
    this.#next();
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: "" });
  }

  handleReadyForQuery(): void {
    this.#settle(null);
  }

  /** Those before the one that has failed are answered, and those behind it have not run, unless the connection is lost. */
  handleError(error: unknown, connection: pg.Connection): void {
    const notes = connection as pg.Connection & DriversNotes;
    for (const { name } of this.#calls.slice(this.#answered)) {
      if (notes.parsedStatements[name] === undefined) delete notes.submittedNamedStatements[name];
    }
    this.#settle(error);
  }

  #next(): void {
    const call = this.#calls[this.#answered];
    // The driver notes under this name that the server has prepared it.
    this.name = call?.name;
    this.text = call?.text ?? "";
    this.#shape = call === undefined ? undefined : this.#connection.shapes.get(call.name);
    this.#rows = [];
  }

  /** @param error null: all of them are answered. */
  #settle(error: unknown): void {
    this.#connection.settled();
    const malformed = this.#malformed;
    const isServers = error instanceof pg.DatabaseError;
    for (let index = 0; index < this.#calls.length; index++) {
      const call = this.#calls[index] as GroupedCall;
      const result = this.#results[index];
      // Outside of a transaction the server commits after its answer: what fails then has not happened.
      if (result !== undefined && error !== null && !this.#isInTransaction) call.reject(error);
      else if (result !== undefined && malformed === null) call.resolve(result);
      else if (result !== undefined) call.reject(malformed);
      else call.reject(isServers && index > this.#answered ? new Skipped(error) : error);
    }
    this.#calls.length = 0;
  }
}

const NO_COLUMNS: RowShape = { names: [], parsers: [] };

function rowOf({ names, parsers }: RowShape, fields: readonly (string | null)[]): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (let index = 0; index < names.length; index++) {
    const field = fields[index] ?? null;
    row[names[index] as string] = field === null ? null : parsers[index]?.(field);
  }
  return row;
}

/** Reads a command tag such as `INSERT 0 16` or `COMMIT`. */
function commandOf(tag: string): Pick<StatementResult, "command" | "rowCount"> {
  const first = tag.indexOf(" ");
  if (first === -1) return { command: tag, rowCount: null };
  const count = Number(tag.slice(tag.lastIndexOf(" ") + 1));
  return { command: tag.slice(0, first), rowCount: Number.isInteger(count) ? count : null };
}

/** The parameters as they are sent; null when the driver must convert one of them. */
export function writtenValues(values: readonly unknown[]): Written[] | null {
  const written: Written[] = [];
  for (const value of values) {
    if (typeof value === "string" || value === null || Buffer.isBuffer(value)) written.push(value);
    else if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean")
      written.push(`${value}`);
    else return null;
  }
  return written;
}
