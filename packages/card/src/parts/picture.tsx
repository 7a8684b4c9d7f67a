import { type CSSProperties, type ReactNode, useState } from "react";
import { useCard } from "../card-context.ts";
import { linkOf } from "../model/links.ts";

interface Props {
  address: unknown;
  /** What it shows, for those who do not see it. */
  alt: string;
  /** Space kept for it, as `width / height`. */
  ratio?: string;
  className?: string;
  style?: CSSProperties;
}

/**
 * A picture from anywhere. Its room is kept while it loads, and says so when it does not; the server it comes from is
 * not told which page shows it.
 */
export function Picture({ address, alt, ratio, className = "", style }: Props): ReactNode {
  const { words, pictureAddress } = useCard();
  const link = linkOf(address);
  const source = link === null ? null : pictureAddress(link.href);
  const [shown, setShown] = useState<{ source: string | null; state: "loaded" | "failed" } | null>(null);
  const state = source === null ? "failed" : shown?.source === source ? shown.state : "loading";
  return (
    <span className={`pc-picture ${className}`} data-state={state} style={{ aspectRatio: ratio, ...style }}>
      {source !== null && (
        <img
          src={source}
          alt={alt || words.picture}
          loading="lazy"
          decoding="async"
          referrerPolicy="no-referrer"
          onLoad={() => setShown({ source, state: "loaded" })}
          onError={() => setShown({ source, state: "failed" })}
        />
      )}
      {state === "failed" && <span className="pc-picture-failed">{words.pictureFailed}</span>}
    </span>
  );
}
