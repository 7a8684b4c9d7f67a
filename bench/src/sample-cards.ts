/** A card as written by the bench. */
export interface SampleCard {
  schema: string;
  header: { title: { tag: string; content: string } };
  body: { elements: object[] };
}

/** The card that the bench sends: 10 KB, 100 components. */
export const ORDINARY_CARD = { sections: 10, bytes: 10 * 1024 };

const PROSE = "All checks passed on the first attempt; see the log for what each of them took and on which machine. ";

/**
 * A build server's report: ten components per section, and exactly `bytes` bytes of compact JSON in UTF-8.
 *
 * @throws when the sections need more bytes.
 */
export function reportCard(title: string, { sections, bytes } = ORDINARY_CARD): SampleCard {
  return fill(title, bytes, Array(sections).fill(section));
}

/** A card of images that must be resolved, with exactly `bytes` bytes of compact JSON in UTF-8. */
export function galleryCard(title: string, { images, bytes }: { images: number; bytes: number }): SampleCard {
  return fill(title, bytes, Array(images).fill(picture));
}

/** A card's JSON with `levels` nested containers, far more than allowed. */
export function nestedCardJson(levels: number): string {
  const forms = `{"tag":"form","elements":[`.repeat(levels);
  return `{"schema":"2.0","body":{"elements":[${forms}${"]}".repeat(levels)}]}}`;
}

/** The components of section `index` of a card, with `prose` as filler text. */
type Draft = (prose: string, index: number) => object[];

function fill(title: string, bytes: number, drafts: Draft[]): SampleCard {
  const write = (proseBytes: (index: number) => number): SampleCard => ({
    schema: "2.0",
    header: { title: { tag: "plain_text", content: title } },
    body: { elements: drafts.flatMap((draft, index) => draft(prose(proseBytes(index)), index)) },
  });
  const room = bytes - Buffer.byteLength(JSON.stringify(write(() => 0)));
  if (room < 0) throw new Error(`the card is ${-room} bytes too long`);
  const share = Math.floor(room / drafts.length);
  const rest = room % drafts.length;
  return write((index) => share + (index < rest ? 1 : 0));
}

function prose(bytes: number): string {
  return PROSE.repeat(Math.ceil(bytes / PROSE.length)).slice(0, bytes);
}

function section(prose: string, index: number): object[] {
  const plain = (content: string) => ({ tag: "plain_text", content });
  const column = (weight: number, ...elements: object[]) => ({ tag: "column", width: "weighted", weight, elements });
  const rerun = {
    tag: "button",
    name: `rerun_${index}`,
    type: "primary",
    text: plain("重新运行"),
    value: { action: "rerun", job: index, branch: "main" },
  };
  const options = ["main", "release"].map((value) => ({ value, text: plain(value) }));
  return [
    { tag: "markdown", content: `**构建 ${index}**: ${prose}` },
    { tag: "column_set", columns: [column(2, { tag: "markdown", content: "**负责人**\nAlice" }), column(1, rerun)] },
    {
      tag: "table",
      rows: [
        ["测试", "结果", "毫秒"],
        ["keeps a nonce", "通过", "12"],
        ["sends a card", "通过", "204"],
      ],
    },
    { tag: "select_static", name: `branch_${index}`, placeholder: plain("分支"), options },
    { tag: "img", img_url: `https://ci.example.com/graphs/${index}.png`, alt: plain("用时") },
    { tag: "hr" },
  ];
}

function picture(prose: string, index: number): object[] {
  const imgKey = `file_${String(index).padStart(32, "0")}`;
  return [{ tag: "img", img_key: imgKey, alt: { tag: "plain_text", content: prose } }];
}
