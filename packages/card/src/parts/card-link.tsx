import type { ReactNode } from "react";
import { linkOf } from "../model/links.ts";

interface Props {
  address: unknown;
  className?: string;
  children: ReactNode;
}

/** A link out of the card, which shows on hover whose page it is; only its words, when the address is no http(s) one. */
export function CardLink({ address, className = "pc-link", children }: Props): ReactNode {
  const link = linkOf(address);
  if (link === null) return <span dir="auto">{children}</span>;
  return (
    <a className={className} href={link.href} title={link.host} target="_blank" rel="noopener noreferrer" dir="auto">
      {children}
    </a>
  );
}
