/** The result of {@link naiveCheck}: the message or null, and the image keys that must be resolved first. */
interface NaiveCheck {
  answer: string | null;
  keys: string[];
}

/**
 * A second implementation of the card rules, from docs/contract/cards.md alone and as simple as possible: it collects
 * all problems in order, and the first is the answer; without any it checks the images. For comparison with the real
 * one. It is slow and recursive.
 */
export function naiveCheck(card: unknown): NaiveCheck {
  const { complaints, visits } = naiveComplaints(card);
  const [complaint] = complaints;
  if (complaint !== undefined) return { answer: complaint, keys: [] };
  const keys: string[] = [];
  for (const { element } of visits) {
    if (!isImageWithoutAddress(element)) continue;
    const key = toMap(element)?.get("img_key");
    if (typeof key !== "string" || key.length === 0) return { answer: "card image img_key不能为空", keys };
    if (!isAddress(key)) keys.push(key);
  }
  return { answer: null, keys };
}

const WHITELIST =
  "plain_text text markdown lark_md text_tag text_tag_list column_set column form interactive_container collapsible_panel recycling_container hr divider img image img_combination icon person person_list button overflow action input textarea checkbox radio select_static select_person select_time date_picker picker_datetime multi_select_static multi_select_person table chart note".split(
    " ",
  );

interface Visit {
  element: unknown;
  /** Of the array that contains the element. */
  level: number;
}

function naiveComplaints(card: unknown): { complaints: string[]; visits: Visit[] } {
  const envelope = toMap(card);
  if (envelope?.get("schema") !== "2.0") return { complaints: ["仅支持schema为2.0的卡片"], visits: [] };
  const body = toMap(envelope.get("body"));
  if (!body) return { complaints: ["card.body不能为空"], visits: [] };
  const elements = body.get("elements");
  if (!Array.isArray(elements)) return { complaints: ["card.body.elements必须为数组"], visits: [] };
  const visits = elements.flatMap((element) => visitsFrom({ element, level: 1 }));
  const complaints = visits.flatMap((visit, earlier) => complaintsAbout(visit, earlier));
  if (Buffer.from(JSON.stringify(card), "utf8").length > 65_536) complaints.push("卡片JSON不能超过64KiB");
  return { complaints, visits };
}

/** The element and its descendants, in document order. */
function visitsFrom(visit: Visit): Visit[] {
  const children = childrenOf(visit.element);
  if (!Array.isArray(children)) return [visit];
  return [visit, ...children.flatMap((element) => visitsFrom({ element, level: visit.level + 1 }))];
}

function complaintsAbout({ element, level }: Visit, earlier: number): string[] {
  const fields = toMap(element);
  if (!fields) return ["卡片组件必须为对象"];
  const complaints: string[] = [];
  const tag = fields.get("tag");
  if (typeof tag !== "string" || !WHITELIST.includes(tag)) complaints.push(`不支持的卡片组件: ${spell(tag)}`);
  if (earlier >= 200) complaints.push("卡片组件不能超过200个");
  const links = [fields.get("url"), fields.get("img_url"), fields.get("src"), toMap(fields.get("action"))?.get("url")];
  for (const link of links) {
    const missing = link === undefined || link === null;
    if (!missing && !isAddress(link)) complaints.push("卡片链接仅支持HTTP/HTTPS地址");
  }
  const children = childrenOf(element);
  if (children !== null && !Array.isArray(children)) complaints.push("卡片组件必须为对象");
  if (Array.isArray(children) && level + 1 > 9) complaints.push("卡片组件嵌套层级不能超过8");
  return complaints;
}

function isImageWithoutAddress(element: unknown): boolean {
  const fields = toMap(element);
  const hasAddress = (fields?.get("img_url") ?? fields?.get("url") ?? null) !== null;
  return (fields?.get("tag") === "img" || fields?.get("tag") === "image") && !hasAddress;
}

function isAddress(value: unknown): boolean {
  return typeof value === "string" && /^https?:\/\//.test(value);
}

function childrenOf(element: unknown): unknown {
  const fields = toMap(element);
  const arrays = ["elements", "columns", "children", "actions"].map((name) => fields?.get(name) ?? null);
  return arrays.find((value) => value !== null) ?? null;
}

/** How the message shows a tag that is not a text (docs/contract/cards.md). */
function spell(tag: unknown): string {
  if (tag === undefined || tag === null) return "null";
  if (typeof tag !== "object") return `${tag}`;
  return Array.isArray(tag) ? "array" : "object";
}

function toMap(value: unknown): Map<string, unknown> | null {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return null;
  return new Map(Object.entries(value));
}
