import { type CSSProperties, memo, type ReactNode } from "react";
import { member } from "./model/json.ts";
import type { CardNode, ElementNode } from "./model/read-card.ts";
import { Omitted } from "./parts/omitted.tsx";
import { PartBoundary } from "./parts/part-boundary.tsx";
import { ComponentIdProvider } from "./parts/use-kept.ts";
import { partFor } from "./parts-by-tag.ts";

/** Tags that stand side by side where several follow each other. */
const INLINE = new Set(["button", "overflow", "text_tag", "icon", "person"]);

/** Components below each other; buttons and pills that follow each other share a row. */
export const ElementList = memo(function ElementList({ nodes }: { nodes: readonly CardNode[] }): ReactNode {
  return rowsOf(nodes).map((row) => {
    const [first] = row;
    if (first === undefined) return null;
    if (row.length === 1) return <NodeView key={first.key} node={first} />;
    return (
      <div key={`row-${first.key}`} className="pc-row">
        {row.map((node) => (
          <NodeView key={node.key} node={node} />
        ))}
      </div>
    );
  });
});

function rowsOf(nodes: readonly CardNode[]): CardNode[][] {
  const rows: CardNode[][] = [];
  for (const node of nodes) {
    const row = rows.at(-1);
    if (row !== undefined && isInline(node) && row.every(isInline)) row.push(node);
    else rows.push([node]);
  }
  return rows;
}

function isInline(node: CardNode): boolean {
  return node.kind === "element" && INLINE.has(node.tag);
}

function NodeView({ node }: { node: CardNode }): ReactNode {
  return node.kind === "element" ? <ElementView node={node} /> : <Omitted reason={node.reason} count={node.count} />;
}

/** One component. A fault in it stays in it. */
const ElementView = memo(function ElementView({ node }: { node: ElementNode }): ReactNode {
  const Part = partFor(node.tag);
  return (
    <div className="pc-element" data-tag={node.tag} {...placeOf(node)}>
      <PartBoundary>
        <ComponentIdProvider value={node.id}>
          <Part element={node.element} tag={node.tag}>
            {node.children.length > 0 && <ElementList nodes={node.children} />}
          </Part>
        </ComponentIdProvider>
      </PartBoundary>
    </div>
  );
});

const WEIGHT_MAX = 5;
/** What names less is a column like others. */
const WIDTH_MIN_PX = 16;
/** Room that is made for a picture on a button is none for words. */
const BUTTON_MIN_PX = 64;
const ALIGNED = new Set<unknown>(["top", "center", "bottom"]);

/** How a column shares the room of its set. */
function placeOf({ tag, element, children }: ElementNode): {
  style?: CSSProperties;
  [data: `data-${string}`]: string | undefined;
} {
  if (tag !== "column") return {};
  const width = member(element, "width");
  const weight = member(element, "weight");
  const aligned = member(element, "vertical_align");
  const attributes = { "data-align": ALIGNED.has(aligned) ? String(aligned) : undefined };
  const fixed = typeof width === "string" ? Number(/^(\d{1,3})px$/.exec(width)?.[1]) : Number.NaN;
  const holdsButton = children.some((child) => child.kind === "element" && child.tag === "button");
  if (width === "auto" || (holdsButton && fixed < BUTTON_MIN_PX)) return { ...attributes, "data-width": "auto" };
  if (fixed >= WIDTH_MIN_PX) return { ...attributes, "data-width": "fixed", style: { inlineSize: `${fixed}px` } };
  const grow = typeof weight === "number" && weight > 0 ? Math.min(weight, WEIGHT_MAX) : 1;
  return { ...attributes, style: { flexGrow: grow } };
}
