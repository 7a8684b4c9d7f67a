import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { findCardProblems } from "@portico/protocol/cards";
import fc from "fast-check";
import { formatCard, formatText } from "./format-card.ts";
import { studyCard } from "./study-card.ts";

/** The text that each problem points at. */
function pointedAt(text: string): string[] {
  return studyCard(text).problems.map(({ from, to }) => text.slice(from, to));
}

function reasonOf(text: string): string {
  const [problem] = studyCard(text).problems;
  return problem?.kind === "syntax" ? `${problem.reason} ${text.slice(problem.from, problem.to)}` : "";
}

describe("studying a card's text", () => {
  it("points at every problem at once, where it stands", () => {
    const text =
      '{"schema": "1.0", "body": {"elements": [{"tag": "dvi"}, {"tag": "img"}, 7, {"tag": "button", "url": "x"}]}}';
    assert.deepEqual(pointedAt(text), ['"1.0"', '"dvi"', "7", '"x"', "{"]);
    assert.equal(studyCard(text).problems[2]?.column, text.indexOf("7") + 1);
  });

  it("has the problems of the rules, in their order, for any card", () => {
    const tag = fc.record({ tag: fc.constantFrom("hr", "div", "img"), url: fc.constantFrom("x", null, "https://x") });
    const cards = fc.record({ schema: fc.constantFrom("2.0", "1"), body: fc.record({ elements: fc.array(tag) }) });
    fc.assert(
      fc.property(cards, (card) => {
        const found = studyCard(formatCard(card)).problems.map((each) => (each.kind === "rule" ? each.finding : each));
        assert.deepEqual(found, findCardProblems(card));
      }),
    );
  });

  it("says why a text is no JSON, and where", () => {
    assert.equal(reasonOf(" "), "empty  ");
    assert.equal(reasonOf('{"a": [1'), "unfinished 1");
    assert.equal(reasonOf('{"a": [1, 2,]}'), "trailing-comma ,");
    assert.equal(reasonOf('{"a": 1,}'), "trailing-comma ,");
    assert.equal(reasonOf('{"a": 1 "b": 2}'), 'missing-comma "');
    assert.equal(reasonOf("{'a': 1}"), "single-quotes '");
    assert.equal(reasonOf('{"a": 1, // one\n "b": 2}'), "comment /");
    assert.equal(reasonOf('{"a": "\\q"}'), 'string "');
  });

  it("finds a fault wherever a text is cut", () => {
    const whole = formatCard({ schema: "2.0", body: { elements: [{ tag: "markdown", content: 'a "b" c' }] } });
    for (let end = 0; end < whole.length; end++) {
      const [problem] = studyCard(whole.slice(0, end)).problems;
      assert.ok(problem !== undefined && problem.from <= problem.to && problem.to <= Math.max(end, 1));
    }
  });

  it("tells of pictures by fileKey, which only the service can look up", () => {
    const withPicture = (key: string) =>
      formatCard({ schema: "2.0", body: { elements: [{ tag: "img", img_key: key }] } });
    assert.ok(studyCard(withPicture("file_1")).hasKeys);
    assert.ok(!studyCard(withPicture("https://example.com/a.png")).hasKeys);
  });

  it("points at keys with slashes, tildes and quotation marks", () => {
    assert.deepEqual(pointedAt('{"schema":"2.0","body":{"elements":[{"tag":"a/b~c"}]}}'), ['"a/b~c"']);
  });
});

describe("formatting a card", () => {
  it("gives the same value, in lines that fit", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const parsed: unknown = JSON.parse(formatCard(value));
        assert.deepEqual(parsed, JSON.parse(JSON.stringify(value)));
      }),
    );
    assert.equal(formatCard({ a: { b: [1, 2] } }), '{ "a": { "b": [1, 2] } }');
    assert.equal(
      formatText('{"10":1.50,\n"2":[-0,{ }],"n":12345678901234567890,"n":"\\u0041, {"}'),
      '{ "10": 1.50, "2": [-0, {}], "n": 12345678901234567890, "n": "\\u0041, {" }',
    );
    const long = formatCard({ a: Array.from({ length: 40 }, (_, index) => index), b: {} });
    assert.match(long, /^\{\n {2}"a": \[\n {4}0,\n/);
  });
});
