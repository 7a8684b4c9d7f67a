import type { ReactNode } from "react";
import type { Option, Options } from "../model/options.ts";
import { More } from "./omitted.tsx";

interface Props {
  /** By which its button opens it. */
  id: string;
  options: Options;
  /** Draws one of them. */
  children(option: Option): ReactNode;
}

/** A list of choices above the page. */
export function Menu({ id, options: { items, more }, children }: Props): ReactNode {
  return (
    <ul id={id} className="pc-menu" popover="auto">
      {items.map((option) => (
        <li key={option.key}>{children(option)}</li>
      ))}
      {more > 0 && (
        <li className="pc-menu-item">
          <More count={more} />
        </li>
      )}
    </ul>
  );
}
