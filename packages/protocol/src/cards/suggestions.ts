import { closestTag } from "./closest-tag.ts";
import { CARD_LIMITS } from "./contract.ts";
import { isJsonObject, member } from "./json-object.ts";
import type { CardProblem } from "./walk-card.ts";

const OWN_IMAGE =
  'Upload the picture with POST /api/open/v2/bot/files and put its fileKey in "img_key", or its http(s) address in "img_url".';

/** The suggestion for an entry of a table's `columns` that is no component. */
export const TABLE_COLUMN_SUGGESTION =
  'The entries of a table\'s "columns" are checked as components: give each a "tag", {"tag": "text", "name": ...}, or leave "columns" out and write all cells into "rows", an array of arrays whose first is the header.';

/** Tags of other card systems, mainly Feishu's, and their replacements. */
const REWRITES: ReadonlyMap<string, string> = new Map([
  [
    "div",
    'Write {"tag": "markdown", "content": ...} with the text of "text.content"; a "div" with "fields" is a "column_set".',
  ],
  ["repeat", 'Templates are not filled in here: write the elements of the "repeat" out, once for each entry.'],
  ["picker_time", 'Use "select_time".'],
  ["checker", 'Use "checkbox", with its caption in "label".'],
  ["select_img", 'Use "select_static" with texts as options, and show the pictures as "img" components beside it.'],
  ["standard_icon", 'Use "icon".'],
  ["custom_icon", `Use "img". ${OWN_IMAGE}`],
  ["avatar", 'Use "person", with the picture in "avatar_url".'],
  ["at", 'Name the member in the message\'s "content.mentions"; the card shows the name as text.'],
  ["a", 'Write the link in a "markdown" component, as [text](https://...).'],
  ["audio", 'Send the recording as a message of type "file".'],
  ["video", 'Send the film as a message of type "file", or link to it with a "button" that has a "url".'],
]);

/** A suggestion for a problem of this card. */
export function suggestionFor(problem: CardProblem, card: unknown): string {
  switch (problem.rule) {
    case "schema":
      return schemaAdvice(problem.value, card);
    case "body":
      return isJsonObject(card) && Array.isArray(member(card, "elements"))
        ? 'Move the card\'s "elements" into "body": {"elements": [...]}.'
        : 'Add "body": {"elements": [...]}.';
    case "body-elements":
      return '"body.elements" is the list of components; write [] when there are none.';
    case "component-object":
      return isTableColumn(problem) ? TABLE_COLUMN_SUGGESTION : componentAdvice(problem.value);
    case "component-tag":
      return tagAdvice(problem);
    case "component-count":
      return `This is component ${CARD_LIMITS.components + 1}: containers and all that stands in them count. Split the card into several messages, or join texts into one "markdown".`;
    case "link":
      return linkAdvice(problem.value);
    case "image-key":
      return OWN_IMAGE;
    case "child-array":
      return isJsonObject(problem.value)
        ? "Put the component into an array: [{...}]."
        : "Make it an array of components, or leave it out.";
    case "depth":
      return 'At most 8 containers may stand in one another, and a "column_set" with its "column" counts as two: move these components further out.';
    case "size":
      return `The card's compact JSON has ${problem.value} bytes in UTF-8, ${CARD_LIMITS.jsonBytes} are allowed: shorten texts, or split the card into several messages.`;
  }
}

function schemaAdvice(schema: unknown, card: unknown): string {
  if (typeof card === "string") return "Pass the card as a JSON object, not as text that holds one.";
  if (!isJsonObject(card)) return 'A card is a JSON object: {"schema": "2.0", "body": {"elements": [...]}}.';
  if (typeof schema === "number") return 'Write the version as text: "schema": "2.0".';
  if (schema === undefined && isJsonObject(member(card, "card")))
    return 'Pass the object under "card" itself, without the wrapping around it.';
  return 'Add "schema": "2.0", with the components in "body.elements"; cards of other versions must be rewritten.';
}

function componentAdvice(value: unknown): string {
  if (typeof value === "string") return 'Write the text as {"tag": "markdown", "content": ...}.';
  if (Array.isArray(value)) return "Put the components of this inner array into the outer one, one after another.";
  return 'Leave it out, or write a component: an object with a "tag".';
}

/** Whether a problem is one of an entry of a table's `columns`. */
function isTableColumn({ container, pointer }: CardProblem): boolean {
  return container !== undefined && member(container, "tag") === "table" && /\/columns\/\d+(?:\/tag)?$/.test(pointer);
}

function tagAdvice(problem: CardProblem): string {
  if (isTableColumn(problem)) return TABLE_COLUMN_SUGGESTION;
  const { value: tag } = problem;
  if (typeof tag !== "string") return 'Give the component a "tag", the name of its kind as text.';
  const rewrite = REWRITES.get(tag);
  if (rewrite) return rewrite;
  const meant = closestTag(tag);
  return meant
    ? `Did you mean "${meant}"?`
    : 'There is no such component. "markdown" takes text, "img" a picture, "column_set" what stands side by side.';
}

function linkAdvice(link: unknown): string {
  if (typeof link !== "string") return "Write the address as text, or leave the field out.";
  if (link.trim() === "") return "Leave the field out, or set it to null: an empty address is none.";
  if (/^\s*https?:\/\//i.test(link)) return "Begin with http:// or https:// in lower case, without blanks before it.";
  if (/^[a-z][a-z0-9+.-]*:(?!\d)/i.test(link))
    return "Only http:// and https:// are allowed: link to a page that leads on.";
  return "Write the whole address, beginning with https://.";
}
