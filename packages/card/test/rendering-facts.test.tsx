import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { renderElements } from "./support/render.tsx";

const text = (content: string) => ({ tag: "plain_text", content });

/** What clients draw (docs/contract/cards.md#what-clients-draw), each fact by its name. */
describe("texts", () => {
  test("plain_text and text are equivalent, no markup parsed", async (t) => {
    const content = "**bold** [link](https://a.test) <b>x</b>";
    const card = await renderElements(t, [
      { tag: "plain_text", content },
      { tag: "text", content },
    ]);
    assert.equal(card.one("plain_text").innerHTML, card.one("text").innerHTML);
    assert.equal(card.one("text").textContent, content);
    assert.equal(card.one("text").querySelector("strong, b, a"), null);
  });
  test("markdown and lark_md are equivalent", async (t) => {
    const content = "# Title\n**bold** *it* ~~gone~~ `code`\n- one\n- two\n\n[link](https://a.test/x)";
    const card = await renderElements(t, [
      { tag: "markdown", content },
      { tag: "lark_md", content },
    ]);
    assert.equal(card.one("markdown").innerHTML, card.one("lark_md").innerHTML);
    const drawn = card.one("markdown");
    assert.equal(drawn.querySelector("strong")?.textContent, "bold");
    assert.equal(drawn.querySelectorAll("li").length, 2);
    assert.equal(drawn.querySelector("a")?.getAttribute("href"), "https://a.test/x");
  });
  test("hr and divider are equivalent", async (t) => {
    const card = await renderElements(t, [{ tag: "hr" }, { tag: "divider" }]);
    assert.equal(card.one("hr").innerHTML, card.one("divider").innerHTML);
    assert.equal(card.one("hr").querySelectorAll("hr").length, 1);
  });
  test("icon shows the token as plain text", async (t) => {
    const card = await renderElements(t, [{ tag: "icon", token: "<i>calendar_colorful</i>" }]);
    assert.equal(card.one("icon").textContent, "<i>calendar_colorful</i>");
  });
  test("note reads content or text", async (t) => {
    const card = await renderElements(t, [
      { tag: "note", content: "a" },
      { tag: "note", text: "b" },
      { tag: "note", text: text("c") },
    ]);
    assert.deepEqual(
      card.all("note").map((note) => note.textContent),
      ["a", "b", "c"],
    );
  });
  test("a label, caption or option text may be a string or {content}", async (t) => {
    const card = await renderElements(t, [
      { tag: "checkbox", label: "as text" },
      { tag: "checkbox", label: text("as object") },
      { tag: "input", label: "as text" },
      { tag: "input", label: text("as object") },
      { tag: "select_static", options: [{ text: "as text" }, { text: text("as object") }] },
      { tag: "text_tag", text: "as text" },
      { tag: "text_tag", text: text("as object") },
    ]);
    for (const tag of ["checkbox", "input", "text_tag"]) {
      const texts = card.all(tag).map((element) => element.textContent);
      assert.deepEqual(texts, ["as text", "as object"], tag);
    }
    const options = [...card.one("select_static").querySelectorAll("option:not([hidden])")];
    assert.deepEqual(
      options.map((option) => option.textContent),
      ["as text", "as object"],
    );
  });
});

describe("containers", () => {
  for (const tag of ["column", "form", "interactive_container", "collapsible_panel", "recycling_container", "action"]) {
    test(`${tag}: children come from elements alone`, async (t) => {
      const card = await renderElements(t, [
        {
          tag,
          elements: [text("shown")],
          children: [text("hidden")],
          columns: [text("hidden")],
          actions: [text("hidden")],
        },
      ]);
      assert.equal(card.one(tag).textContent, "shown");
    });
    test(`${tag}: a container without elements shows its children`, async (t) => {
      const card = await renderElements(t, [{ tag, children: [text("shown")], actions: [text("hidden")] }]);
      assert.equal(card.one(tag).textContent, "shown");
    });
    test(`${tag}: children under actions are not shown`, async (t) => {
      const card = await renderElements(t, [{ tag, actions: [text("hidden")] }]);
      assert.equal(card.root.textContent, "");
    });
  }
  test("column_set keeps its children in columns, each column in elements", async (t) => {
    const columns = [
      { tag: "column", elements: [text("left")] },
      { tag: "column", elements: [text("right")] },
    ];
    const card = await renderElements(t, [{ tag: "column_set", columns }]);
    const shown = card.all("column").map((column) => column.textContent);
    assert.deepEqual(shown, ["left", "right"]);
    assert.ok(card.all("column").every((column) => card.one("column_set").contains(column)));
  });
  test("a container unknown to the client shows its children", async (t) => {
    const card = await renderElements(t, [{ tag: "carousel", children: [text("shown")] }]);
    assert.equal(card.one("carousel").textContent, "shown");
  });
  test("form, interactive_container, recycling_container render statically: no submit, callback or loop", async (t) => {
    const actions: unknown[] = [];
    const inner = [text("{{item}}"), { tag: "button", text: text("Go"), form_action_type: "submit", value: { a: 1 } }];
    const behaviors = [{ type: "callback", value: "x" }];
    const card = await renderElements(
      t,
      ["form", "interactive_container", "recycling_container"].map((tag) => ({
        ...{ tag, elements: inner, url: "https://a.test", value: 1, behaviors, variable: "item", data: [1, 2, 3] },
      })),
      { onAction: (action) => void actions.push(action) },
    );
    for (const tag of ["form", "interactive_container", "recycling_container"]) {
      assert.equal(card.one(tag).textContent, "{{item}}Go");
      assert.equal(card.one(tag).querySelector("form, a"), null);
      card.one(tag).click();
    }
    assert.deepEqual(actions, []);
  });
  test("collapsible_panel is always expanded and reads title or header", async (t) => {
    const elements = [text("inside")];
    const card = await renderElements(t, [
      { tag: "collapsible_panel", title: "T", header: "no", expanded: false, elements },
      { tag: "collapsible_panel", header: text("H"), elements },
      { tag: "collapsible_panel", header: { title: text("HT") }, elements },
    ]);
    assert.deepEqual(
      card.all("collapsible_panel").map((panel) => panel.textContent),
      ["Tinside", "Hinside", "HTinside"],
    );
    assert.equal(card.root.querySelector("details, [hidden], [aria-expanded]"), null);
  });
});

describe("data", () => {
  test("table takes rows, an array of arrays, of which the first is the header", async (t) => {
    const card = await renderElements(t, [
      {
        tag: "table",
        rows: [
          ["Name", "Time"],
          ["Ann", 2],
          ["Bob", text("3 h")],
        ],
      },
    ]);
    const cells = (selector: string) =>
      [...card.one("table").querySelectorAll(selector)].map((cell) => cell.textContent);
    assert.deepEqual(cells("th"), ["Name", "Time"]);
    assert.deepEqual(cells("td"), ["Ann", "2", "Bob", "3 h"]);
  });
  test("table takes columns", async (t) => {
    const columns = [
      { name: "who", display_name: "Name" },
      { name: "long", display_name: "Time" },
    ];
    const card = await renderElements(t, [
      { tag: "table", columns, rows: [{ who: "Ann", long: "2 h" }] },
      {
        tag: "table",
        columns: [
          { title: "Name", values: ["Bob"] },
          { title: "Time", values: ["3 h"] },
        ],
      },
    ]);
    assert.deepEqual(
      card.all("table").map((table) => [...table.querySelectorAll("th, td")].map((cell) => cell.textContent)),
      [
        ["Name", "Time", "Ann", "2 h"],
        ["Name", "Time", "Bob", "3 h"],
      ],
    );
  });
  test("a table says how many rows and columns it leaves out", async (t) => {
    const rows = Array.from({ length: 103 }, (_, row) => Array.from({ length: 21 }, (_, column) => `${row}.${column}`));
    const columns = rows[0]?.map((name) => ({ name })) ?? [];
    const objects = rows.slice(1).map((cells) => Object.fromEntries(cells.map((cell, n) => [`0.${n}`, cell])));
    const card = await renderElements(t, [
      { tag: "table", rows },
      { tag: "table", columns, rows: objects },
    ]);
    for (const table of card.all("table")) {
      assert.deepEqual([table.querySelectorAll("th").length, table.querySelectorAll("tbody tr").length], [20, 100]);
      assert.deepEqual(
        [...table.querySelectorAll(".pc-more")].map((more) => more.textContent),
        ["and 2 more rows", "and 1 more column"],
      );
    }
  });
  test("a chart shows its title", async (t) => {
    const card = await renderElements(t, [{ tag: "chart", title: text("Load"), data: [{ x: "Mon", y: 4 }] }]);
    assert.equal(card.one("chart").textContent, "LoadMon4");
  });
  test("chart shows the first 8 entries of data, value clamped 0 to 100", async (t) => {
    const values = [-5, 0, 12.5, 100, 250, "30", "much", 7, 8, 9];
    const card = await renderElements(t, [
      { tag: "chart", data: values.map((value, n) => ({ label: `L${n}`, value })) },
    ]);
    const bars = [...card.one("chart").querySelectorAll("li")];
    assert.deepEqual(
      bars.map((bar) => bar.textContent),
      ["L00", "L10", "L212.5", "L3100", "L4100", "L530", "L60", "L77"],
    );
    const widths = bars.map((bar) => bar.querySelector<HTMLElement>("[style]")?.style.inlineSize);
    assert.deepEqual(widths, ["0%", "0%", "12.5%", "100%", "100%", "30%", "0%", "7%"]);
  });
  test("a chart's entry is named by label, name or x, its value is value or y", async (t) => {
    const data = [
      { label: "a", name: "no", value: 1, y: 9 },
      { name: "b", x: "no", y: 2 },
      { x: "c", y: 3 },
    ];
    const card = await renderElements(t, [{ tag: "chart", data }]);
    const bars = [...card.one("chart").querySelectorAll("li")].map((bar) => bar.textContent);
    assert.deepEqual(bars, ["a1", "b2", "c3"]);
  });
});

describe("people and pictures", () => {
  test("person: the name is name, then user_name, then user_id", async (t) => {
    const card = await renderElements(t, [
      { tag: "person", name: "Ann", user_name: "no", user_id: "no" },
      { tag: "person", user_name: "bob", user_id: "no" },
      { tag: "person", user_id: "u_carol" },
    ]);
    const names = card.all("person").map((person) => person.querySelector(".pc-person-name")?.textContent);
    assert.deepEqual(names, ["Ann", "bob", "u_carol"]);
  });
  test("person: the avatar is avatar_url or avatar", async (t) => {
    const card = await renderElements(t, [
      { tag: "person", name: "A", avatar_url: "https://a.test/1.png", avatar: "https://a.test/no.png" },
      { tag: "person", name: "B", avatar: "https://a.test/2.png" },
    ]);
    assert.deepEqual(sourcesIn(card.root), ["https://a.test/1.png", "https://a.test/2.png"]);
  });
  test("person_list uses persons", async (t) => {
    const card = await renderElements(t, [{ tag: "person_list", persons: [{ name: "Ann" }, { user_id: "u_bob" }] }]);
    const names = [...card.one("person_list").querySelectorAll(".pc-person-name")].map((name) => name.textContent);
    assert.deepEqual(names, ["Ann", "u_bob"]);
  });
  for (const tag of ["img", "image"]) {
    test(`${tag} reads img_url, url, img_key in that order`, async (t) => {
      const [first, second, third] = ["https://a.test/1", "https://a.test/2", "https://a.test/3"];
      const card = await renderElements(t, [
        { tag, img_url: first, url: second, img_key: third },
        { tag, url: second, img_key: third },
        { tag, img_key: third },
      ]);
      assert.deepEqual(sourcesIn(card.root), [first, second, third]);
    });
  }
  test("img_combination uses img_list", async (t) => {
    const list = [{ img_url: "https://a.test/1" }, { url: "https://a.test/2" }, { img_key: "https://a.test/3" }];
    const card = await renderElements(t, [{ tag: "img_combination", img_list: list }]);
    assert.deepEqual(sourcesIn(card.one("img_combination")), [
      "https://a.test/1",
      "https://a.test/2",
      "https://a.test/3",
    ]);
  });
});

function sourcesIn(root: HTMLElement): (string | null)[] {
  return [...root.querySelectorAll("img")].map((image) => image.getAttribute("src"));
}
