import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { MOST_BYTES, MOST_LINES, readMemberFile, readMemberList, UnreadableFile } from "./read-member-list.ts";

const HEADER = "username,name,password,phone\n";

/** Why a text is refused as a whole. */
function refusal(text: string): UnreadableFile["why"] | undefined {
  try {
    readMemberList(text);
    return undefined;
  } catch (error) {
    return error instanceof UnreadableFile ? error.why : undefined;
  }
}

describe("a list of members", () => {
  it("names them by line, the header being line 1", () => {
    const { lines, problems } = readMemberList(`${HEADER}ann,Ann,ann's password,13900000001\nben,, spaces kept ,`);
    assert.deepEqual(lines, [
      { line: 2, username: "ann", name: "Ann", password: "ann's password", phone: "13900000001" },
      { line: 3, username: "ben", name: "", password: " spaces kept ", phone: "" },
    ]);
    assert.deepEqual(problems, []);
  });
  it("may have its columns in another order, and capitals in the header", () => {
    const { lines } = readMemberList("Phone,Password,Name,Username\n1390,long enough,Ann,ann");
    assert.deepEqual(lines, [{ line: 2, username: "ann", name: "Ann", password: "long enough", phone: "1390" }]);
  });
  it("tells lines with too few or too many values, and those that repeat a user name", () => {
    const { lines, problems } = readMemberList(
      `${HEADER}ann,Ann\nann,Ann,password,\nben,B,password,,,\nann,A,password,`,
    );
    assert.deepEqual(
      lines.map(({ line }) => line),
      [3],
    );
    assert.deepEqual(problems, [
      { line: 2, problem: "columns" },
      { line: 4, problem: "columns" },
      { line: 5, problem: "repeated" },
    ]);
  });
  for (const [what, text, why] of [
    ["without a line", "", "empty"],
    ["of the header alone", HEADER, "empty"],
    ["without the header", "ann,Ann,password,1390\n", "header"],
    ["with another column", "username,name,password,phone,team\n", "header"],
    ["with a quote that does not end", `${HEADER}"ann`, "quote"],
    ["with too many lines", HEADER + "a,b,c,d\n".repeat(MOST_LINES + 1), "tooLong"],
  ] as const) {
    it(`${what} is refused as a whole`, () => assert.equal(refusal(text), why));
  }
  it("may be a file that a spreadsheet in Chinese has saved", async () => {
    // 安 in GB 18030.
    const file = new File([`${HEADER}an,`, new Uint8Array([0xb0, 0xb2]), ",long enough,"], "members.csv");
    assert.equal((await readMemberFile(file)).lines[0]?.name, "安");
  });
  it("is not read from a file that is too large", async () => {
    await assert.rejects(readMemberFile(new File(["x".repeat(MOST_BYTES + 1)], "members.csv")), UnreadableFile);
  });
});
