import { isJsonObject, type JsonObject, member } from "../index.ts";
import { firstOf, listIn, textIn, without } from "./read.ts";

/** What stands in the place of components that this service lacks; nothing when there is nothing to show. */
export const replacements: Readonly<Record<string, (element: JsonObject) => JsonObject[]>> = {
  div: replaceDiv,
  repeat: (element) => [{ ...without(element, ["variable"]), tag: "recycling_container" }],
  loop: (element) => [{ ...element, tag: "recycling_container" }],
  picker_time: (element) => [{ ...element, tag: "select_time" }],
  checker: replaceChecker,
  select_img: (element) => replacePictureChoice(element),
  multi_select_img: (element) => replacePictureChoice({ ...element, multi_select: true }),
  standard_icon: (element) => [{ ...element, tag: "icon" }],
  custom_icon: (element) => [{ ...element, tag: "img", size: "tiny" }],
  avatar: replacePerson,
  person_v2: replacePerson,
  user_profile: replacePerson,
  person_list_v2: (element) => [{ ...element, tag: "person_list" }],
  at: (element) => asText("plain_text", `@${textIn(firstOf(element, ["user_name", "name", "user_id", "id"])) || "…"}`),
  a: replaceLink,
  link: replaceLink,
  // Nothing in a card plays; what it says of itself stays.
  audio: (element) => [...namedFile(element, "🔊")],
  video: (element) => [...namedFile(element, "🎬")],
};

function asText(tag: "markdown" | "plain_text", content: string): JsonObject[] {
  return content.trim() === "" ? [] : [{ tag, content }];
}

/** A text, fields beside one another, and one more component at its side. */
function replaceDiv(element: JsonObject): JsonObject[] {
  const text = member(element, "text");
  const isPlain = isJsonObject(text) && member(text, "tag") !== "lark_md" && member(text, "tag") !== "markdown";
  const main = asText(isPlain ? "plain_text" : "markdown", textIn(text));
  const columns = listIn(element, "fields").flatMap((field) => {
    const inner = isJsonObject(field) ? (member(field, "text") ?? field) : field;
    const shown = asText(
      isJsonObject(inner) && member(inner, "tag") === "plain_text" ? "plain_text" : "markdown",
      textIn(inner),
    );
    return shown.length === 0 ? [] : [{ tag: "column", width: "weighted", weight: 1, elements: shown }];
  });
  const fields = columns.length === 0 ? [] : [{ tag: "column_set", flex_mode: "bisect", columns }];
  const extra = member(element, "extra");
  const content = [...main, ...fields];
  if (!isJsonObject(extra)) return content;
  if (content.length === 0) return [{ tag: "interactive_container", elements: [extra] }];
  const sides = [
    { tag: "column", width: "weighted", weight: 1, elements: content },
    { tag: "column", width: "auto", elements: [extra] },
  ];
  return [{ tag: "column_set", columns: sides }];
}

function replaceChecker(element: JsonObject): JsonObject[] {
  const { text, ...rest } = element;
  return [{ ...rest, tag: "checkbox", label: textIn(text) }];
}

/** The pictures above one another, then a list to choose from. */
function replacePictureChoice(element: JsonObject): JsonObject[] {
  const options = listIn(element, "options").filter(isJsonObject);
  const choices = options.map((option, index) => {
    const value = textIn(member(option, "value")) || String(index + 1);
    return { text: { tag: "plain_text", content: textIn(member(option, "text")) || value }, value };
  });
  const keys = options.flatMap((option) => {
    const key = textIn(firstOf(option, ["img_url", "img_key"]));
    return key === "" ? [] : [{ img_key: key }];
  });
  const isMany = member(element, "multi_select") === true;
  const choice = {
    ...without(element, ["multi_select", "layout", "can_preview", "aspect_ratio"]),
    tag: isMany ? "multi_select_static" : "select_static",
    options: choices,
  };
  return keys.length === 0 ? [choice] : [choice, { tag: "img_combination", img_list: keys }];
}

function replacePerson(element: JsonObject): JsonObject[] {
  const user = firstOf(element, ["user_id", "id", "open_id"]);
  return [{ ...element, tag: "person", ...(user !== undefined && { user_id: user }) }];
}

function replaceLink(element: JsonObject): JsonObject[] {
  const text = textIn(firstOf(element, ["text", "content"]));
  const address = textIn(firstOf(element, ["href", "url"]));
  if (!/^https?:\/\//.test(address)) return asText("plain_text", text || address);
  return asText("markdown", `[${(text || address).replace(/[[\]]/g, "\\$&")}](${encodeURI(decodable(address))})`);
}

/** An address that is encoded already is not encoded twice. */
function decodable(address: string): string {
  try {
    return decodeURI(address);
  } catch {
    return address;
  }
}

function namedFile(element: JsonObject, sign: string): JsonObject[] {
  const name = textIn(firstOf(element, ["text", "title", "name", "file_name"]));
  return name === "" ? [] : asText("plain_text", `${sign} ${name}`);
}
