import type { ReactNode } from "react";
import { SHARED } from "../words/shared.ts";
import { useWords } from "../words/words.ts";

/** The bar at the top of every page: the product, where one is, and the account. shell.css has its look, as it is there before this is. */
export function TopBar({ home, area, children }: { home: string; area: string; children?: ReactNode }) {
  const say = useWords(SHARED);
  return (
    <header className="top-bar">
      <a className="top-bar-skip" href="#content">
        {say("skipToContent")}
      </a>
      <a className="top-bar-brand" href={home}>
        <img src="/assets/portico.svg" alt="" width={24} height={24} />
        <span className="top-bar-name">{say("product")}</span>
        <span className="top-bar-area">{area}</span>
      </a>
      <div className="top-bar-tools">{children}</div>
    </header>
  );
}
