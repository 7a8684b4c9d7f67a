import { CsvError, type CsvRow, readCsv } from "./read-csv.ts";

/** The header of a list of members. */
export const HEADER = ["username", "name", "password", "phone"] as const;
/** The largest file that is read, and the most lines of it. */
export const MOST_BYTES = 2_000_000;
export const MOST_LINES = 10_000;

/** A line that names a member. */
export interface MemberLine {
  line: number;
  username: string;
  name: string;
  password: string;
  phone: string;
}

/** Why a line is not imported, beside what the service says of it. */
export type LineProblem = "columns" | "repeated";

/** What a file says. */
export interface MemberList {
  lines: MemberLine[];
  /** Lines that are wrong in themselves, by their number. */
  problems: { line: number; problem: LineProblem }[];
}

/** Why a file as a whole cannot be read. */
export class UnreadableFile extends Error {
  override readonly name = "UnreadableFile";
  readonly why: "empty" | "header" | "tooLong" | "tooLarge" | "quote";
  readonly line: number | undefined;

  constructor(why: UnreadableFile["why"], line?: number) {
    super(why);
    this.why = why;
    this.line = line;
  }
}

/**
 * Reads a list of members from CSV. The header names the columns, in any order; the second line of a user name is wrong.
 *
 * @throws UnreadableFile
 */
export function readMemberList(text: string): MemberList {
  const [header, ...rows] = rowsOf(text);
  if (header === undefined) throw new UnreadableFile("empty");
  const places = HEADER.map((name) => header.values.findIndex((value) => value.trim().toLowerCase() === name));
  if (places.includes(-1) || header.values.length !== HEADER.length) throw new UnreadableFile("header");
  if (rows.length === 0) throw new UnreadableFile("empty");
  if (rows.length > MOST_LINES) throw new UnreadableFile("tooLong");

  const list: MemberList = { lines: [], problems: [] };
  const seen = new Set<string>();
  for (const { line, values } of rows) {
    const [username = "", name = "", password = "", phone = ""] = places.map((place) => values[place]);
    const member = { line, username: username.trim(), name: name.trim(), password, phone: phone.trim() };
    if (values.length !== HEADER.length) list.problems.push({ line, problem: "columns" });
    else if (seen.has(member.username.toLowerCase())) list.problems.push({ line, problem: "repeated" });
    else {
      list.lines.push(member);
      if (member.username !== "") seen.add(member.username.toLowerCase());
    }
  }
  return list;
}

function rowsOf(text: string): CsvRow[] {
  try {
    return readCsv(text);
  } catch (error) {
    if (error instanceof CsvError) throw new UnreadableFile("quote", error.line);
    throw error;
  }
}

/**
 * Reads a file of a list of members: UTF-8, or what spreadsheets in Chinese save.
 *
 * @throws UnreadableFile
 */
export async function readMemberFile(file: File): Promise<MemberList> {
  if (file.size > MOST_BYTES) throw new UnreadableFile("tooLarge");
  const bytes = await file.arrayBuffer();
  return readMemberList(decoded(bytes));
}

function decoded(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("gb18030").decode(bytes);
  }
}
