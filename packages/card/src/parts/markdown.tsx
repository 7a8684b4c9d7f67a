import { Fragment, memo, type ReactNode, useMemo } from "react";
import { useCard } from "../card-context.ts";
import { colorOf } from "../model/colors.ts";
import { type MarkdownNode, mentionedIn, parseMarkdown } from "../model/markdown.ts";
import { CardLink } from "./card-link.tsx";
import { Picture } from "./picture.tsx";
import { TableFrame } from "./table-frame.tsx";

/** Markdown as elements of React: no text of a card ever becomes HTML. */
export const Markdown = memo(function Markdown({ text }: { text: string }): ReactNode {
  const nodes = useMemo(() => parseMarkdown(text), [text]);
  return <Nodes nodes={nodes} />;
});

function Nodes({ nodes }: { nodes: readonly MarkdownNode[] }): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: a new text makes a new tree, in which nothing else names a piece
  return nodes.map((node, index) => (node.type === "text" ? node.content : <Node key={index} node={node} />));
}

const PLAIN: Readonly<Record<string, "strong" | "em" | "s" | "blockquote" | "ul" | "li" | "thead" | "tbody" | "tr">> = {
  strong: "strong",
  em: "em",
  s: "s",
  blockquote: "blockquote",
  bullet_list: "ul",
  list_item: "li",
  thead: "thead",
  tbody: "tbody",
  tr: "tr",
};

function Node({ node }: { node: MarkdownNode }): ReactNode {
  const inner = <Nodes nodes={node.children} />;
  const Plain = Object.hasOwn(PLAIN, node.type) ? PLAIN[node.type] : undefined;
  if (Plain !== undefined) return <Plain dir={node.type === "list_item" ? "auto" : undefined}>{inner}</Plain>;
  switch (node.type) {
    case "softbreak":
    case "hardbreak":
      return <br />;
    case "paragraph":
      return <p dir="auto">{inner}</p>;
    case "heading":
      return <Heading size={node.tag}>{inner}</Heading>;
    case "ordered_list":
      return <OrderedList node={node}>{inner}</OrderedList>;
    case "code_inline":
      return <code dir="auto">{node.content}</code>;
    case "fence":
    case "code_block":
      return (
        <pre dir="ltr">
          <code>{node.content.replace(/\n$/, "")}</code>
        </pre>
      );
    case "hr":
      return <hr />;
    case "table":
      return <TableFrame columns={columnsOf(node)}>{inner}</TableFrame>;
    case "th":
      return <th dir="auto">{inner}</th>;
    case "td":
      return <td dir="auto">{inner}</td>;
    case "image":
      return <Picture address={node.address} alt={wordsIn(node.children)} />;
    default:
      return <Tag node={node}>{inner}</Tag>;
  }
}

/** Links, and the tags of model/markdown-tags.ts. */
function Tag({ node, children }: { node: MarkdownNode; children: ReactNode }): ReactNode {
  const { words } = useCard();
  const { attributes } = node;
  switch (node.type) {
    case "link":
      return <CardLink address={node.address || attributes.url || attributes.href}>{children}</CardLink>;
    case "font":
      return (
        <span className="pc-font" data-color={colorOf(attributes.color)} dir="auto">
          {children}
        </span>
      );
    case "text_tag":
      return (
        <span className="pc-tag" data-color={colorOf(attributes.color) ?? "grey"} dir="auto">
          {children}
        </span>
      );
    case "number_tag":
      return <span className="pc-number">{children}</span>;
    case "person":
    case "at":
      return <span className="pc-mention">@{mentionedIn(node) || words.person}</span>;
    default:
      return <Fragment>{children}</Fragment>;
  }
}

/** Room for the longest of its numbers, which stand before the text. */
function OrderedList({ node, children }: { node: MarkdownNode; children: ReactNode }): ReactNode {
  const digits = String(node.start + node.children.length - 1).length;
  const style = digits < DIGITS_WIDE ? undefined : { paddingInlineStart: `${digits + 1}ch` };
  return (
    <ol start={node.start} style={style}>
      {children}
    </ol>
  );
}

/** Digits for which a list has no room by itself (styles/texts.css). */
const DIGITS_WIDE = 3;

function columnsOf(table: MarkdownNode): number {
  return table.children[0]?.children[0]?.children.length ?? 0;
}

function Heading({ size, children }: { size: string; children: ReactNode }): ReactNode {
  const { headingLevel } = useCard();
  const Level = `h${headingLevel}` as const;
  return (
    <Level className="pc-heading" data-level={size} dir="auto">
      {children}
    </Level>
  );
}

function wordsIn(nodes: readonly MarkdownNode[]): string {
  return nodes.map((node) => node.content + wordsIn(node.children)).join("");
}
