import type { ReactNode } from "react";
import { useCard } from "../card-context.ts";
import { member } from "../model/json.ts";
import { DRAWN } from "../model/limits.ts";
import { linkOf } from "../model/links.ts";
import { iconToken } from "../model/read-card.ts";
import { captionOf, cut } from "../model/text.ts";
import { Failure, ProgressMark } from "../parts/field.tsx";
import { Omitted } from "../parts/omitted.tsx";
import type { PartProps } from "../parts/part.ts";
import { useReport } from "../parts/use-report.ts";

/** `button`: with `url` a link, without it an action with `value`. */
export function Button(props: PartProps): ReactNode {
  const url = member(props.element, "url");
  return url === undefined || url === null ? (
    <ActionButton {...props} />
  ) : (
    <LinkButton element={props.element} tag={props.tag} />
  );
}

function LinkButton({ element }: PartProps): ReactNode {
  const link = linkOf(member(element, "url"));
  if (link === null) return <Omitted reason="malformed" count={1} />;
  return (
    <a
      className="pc-button"
      href={link.href}
      title={link.host}
      target="_blank"
      rel="noopener noreferrer"
      {...looks(element)}
    >
      <Caption element={element} />
    </a>
  );
}

function ActionButton({ element, tag }: PartProps): ReactNode {
  const { disabled } = useCard();
  const reporter = useReport(element, tag);
  const isPending = reporter.progress === "pending";
  return (
    <>
      <button
        type="button"
        className="pc-button"
        disabled={disabled || member(element, "disabled") === true}
        // Not disabled while under way, which would take the focus from it.
        aria-disabled={isPending || undefined}
        aria-busy={isPending}
        data-progress={reporter.progress}
        title={captionOf(member(element, "hover_tips")) || undefined}
        onClick={() => reporter.press({ value: member(element, "value") ?? null })}
        {...looks(element)}
      >
        <Caption element={element} />
        <ProgressMark reporter={reporter} />
      </button>
      <Failure reporter={reporter} />
    </>
  );
}

/** The caption is `text.content`; a button without one says what it has instead. */
function Caption({ element }: Pick<PartProps, "element">): ReactNode {
  const { words } = useCard();
  const caption =
    captionOf(member(element, "text")) ||
    captionOf(member(element, "hover_tips")) ||
    iconToken(member(element, "icon"));
  return (
    <span className="pc-button-text" dir="auto">
      {cut(caption || words.button, DRAWN.captionChars)}
    </span>
  );
}

const KINDS = ["primary", "danger"];

function looks(element: PartProps["element"]): Record<`data-${string}`, string | undefined> {
  const type = member(element, "type");
  const name = typeof type === "string" ? type.slice(0, 32) : "default";
  return {
    "data-kind": name === "laser" ? "primary" : (KINDS.find((kind) => name.startsWith(kind)) ?? "default"),
    "data-flat": name === "text" || name.endsWith("_text") ? "true" : undefined,
    "data-width": member(element, "width") === "fill" ? "fill" : undefined,
  };
}
