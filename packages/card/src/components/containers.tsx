import type { ReactNode } from "react";
import { colorOf } from "../model/colors.ts";
import { isJsonObject, member } from "../model/json.ts";
import { captionOf } from "../model/text.ts";
import type { PartProps } from "../parts/part.ts";

/** `form`, `recycling_container`: what is in them, one below the other; nothing is submitted or repeated as a whole. */
export function Stack({ children }: PartProps): ReactNode {
  return <div className="pc-stack">{children}</div>;
}

/** `action`, `text_tag_list`: what is in them, side by side. */
export function Row({ children }: PartProps): ReactNode {
  return <div className="pc-row">{children}</div>;
}

/** `interactive_container`, `column`: what is in them, on a ground of their own if they name a colour or a frame. */
export function Panel({ element, children }: PartProps): ReactNode {
  return (
    <div
      className="pc-stack pc-panel"
      data-color={colorOf(member(element, "background_style"))}
      data-framed={member(element, "has_border") === true || undefined}
    >
      {children}
    </div>
  );
}

/** `column_set`: columns that wrap where there is no room for them. */
export function ColumnSet({ element, children }: PartProps): ReactNode {
  const mode = member(element, "flex_mode");
  return (
    <div className="pc-columns-room" data-color={colorOf(member(element, "background_style"))}>
      <div className="pc-columns" data-mode={typeof mode === "string" ? mode.slice(0, 16) : undefined}>
        {children}
      </div>
    </div>
  );
}

/** `collapsible_panel`: always open, under its `title` or `header`. */
export function CollapsiblePanel({ element, children }: PartProps): ReactNode {
  const title = captionOf(member(element, "title")) || headerText(member(element, "header"));
  return (
    <div className="pc-collapsible">
      {title !== "" && (
        <p className="pc-collapsible-title" dir="auto">
          {title}
        </p>
      )}
      <div className="pc-stack">{children}</div>
    </div>
  );
}

/** The header is a text, or an object that holds one as its own title. */
function headerText(header: unknown): string {
  return captionOf(header) || (isJsonObject(header) ? captionOf(member(header, "title")) : "");
}
