import type { ReactNode } from "react";
import { colorOf } from "../model/colors.ts";
import { isJsonObject, member } from "../model/json.ts";
import { DRAWN } from "../model/limits.ts";
import { iconToken } from "../model/read-card.ts";
import { cut, firstText } from "../model/text.ts";
import { LongText } from "../parts/long-text.tsx";
import { Markdown } from "../parts/markdown.tsx";
import { Omitted } from "../parts/omitted.tsx";
import type { PartProps } from "../parts/part.ts";

/** `plain_text` and `text`: no markup is parsed. */
export function PlainText({ element }: PartProps): ReactNode {
  const text = firstText(element, ["content", "text"]);
  if (text === "" && !Object.hasOwn(element, "content")) return <Omitted reason="malformed" count={1} />;
  return (
    <LongText text={text}>
      {(shown) => (
        <p className="pc-text" dir="auto" {...typography(element)}>
          {shown}
        </p>
      )}
    </LongText>
  );
}

/** `markdown` and `lark_md`. */
export function MarkdownText({ element }: PartProps): ReactNode {
  const content = member(element, "content");
  if (typeof content !== "string") return <Omitted reason="malformed" count={1} />;
  return (
    <LongText text={content}>
      {(shown) => (
        <div className="pc-markdown" {...typography(element)}>
          <Markdown text={shown} />
        </div>
      )}
    </LongText>
  );
}

/** `note`: a remark in small print, its text in `content` or `text`. */
export function Note({ element, children }: PartProps): ReactNode {
  const text = firstText(element, ["content", "text"]);
  if (text === "") return <div className="pc-note pc-stack">{children}</div>;
  return (
    <LongText text={text}>
      {(shown) => (
        <p className="pc-note" dir="auto">
          {shown}
        </p>
      )}
    </LongText>
  );
}

/** `text_tag`: a pill. */
export function TextTag({ element }: PartProps): ReactNode {
  const text = cut(firstText(element, ["text", "content"]), DRAWN.captionChars);
  if (text === "") return <Omitted reason="malformed" count={1} />;
  return (
    <span className="pc-tag" data-color={colorOf(member(element, "color")) ?? "grey"} dir="auto">
      {text}
    </span>
  );
}

/** `icon`: its token, as text. */
export function Icon({ element }: PartProps): ReactNode {
  return (
    <span className="pc-icon" dir="auto">
      {cut(iconToken(element), DRAWN.captionChars)}
    </span>
  );
}

/** `hr` and `divider`. */
export function Rule(): ReactNode {
  return <hr className="pc-rule" />;
}

/** What a component of an unknown kind holds: its text, as far as it has one, and its children. */
export function Unknown({ element, children }: PartProps): ReactNode {
  const text = member(element, "text") ?? member(element, "content");
  if (text === undefined && !children) return <Omitted reason="malformed" count={1} />;
  const inner = isJsonObject(text) ? text : { content: text };
  const Text = member(inner, "tag") === "lark_md" ? MarkdownText : PlainText;
  return (
    <div className="pc-stack">
      {text !== undefined && <Text element={inner} tag="text" />}
      {children}
    </div>
  );
}

const ALIGNMENTS = new Set<unknown>(["left", "center", "right"]);
const SIZES = new Set<unknown>([
  "heading",
  "normal",
  "notation",
  "caption",
  "xx-small",
  "x-small",
  "small",
  "large",
  "x-large",
]);

/** How a text is set, in attributes for the stylesheet. */
function typography(element: PartProps["element"]): Record<`data-${string}`, string | undefined> {
  const align = member(element, "text_align");
  const size = member(element, "text_size");
  return {
    "data-align": ALIGNMENTS.has(align) ? String(align) : undefined,
    "data-size": SIZES.has(size) ? String(size) : undefined,
    "data-color": colorOf(member(element, "text_color")),
  };
}
