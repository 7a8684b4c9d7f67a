import type { AbstractNode, IconDefinition } from "@ant-design/icons-svg/es/types";
import { createElement, type ReactNode } from "react";
import styles from "./icon.module.css";

/**
 * One of Ant Design's pictures, in the size and colour of the text around it, for the eye only. Its own components bring
 * the library's colours and styles along, which pages without the rest of it have no use for.
 */
export function Icon({ of, className = "", spins }: { of: IconDefinition; className?: string; spins?: boolean }) {
  // Only pictures of two tones are functions of their colours.
  if (typeof of.icon === "function") throw new TypeError(`${of.name} has two tones`);
  const { attrs, children } = of.icon;
  return (
    <svg {...attrs} className={`${styles.icon} ${className}`} data-spins={spins || undefined} aria-hidden="true">
      {children?.map(draw)}
    </svg>
  );
}

function draw({ tag, attrs, children }: AbstractNode, at: number): ReactNode {
  return createElement(tag, { ...attrs, key: at }, children?.map(draw));
}
