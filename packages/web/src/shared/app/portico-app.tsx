import { type ReactNode, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Answers } from "./answers.tsx";
import { PageBoundary } from "./page-boundary.tsx";
import { ignoreSecondClicks } from "./second-clicks.ts";

/** Draws a bundle's page into the document, in place of what was painted before, with the answers that all pages share. */
export function mount(page: ReactNode): void {
  const root = document.getElementById("root");
  if (root === null) throw new Error("the document has no element for the page");
  root.removeAttribute("aria-busy");
  ignoreSecondClicks();
  createRoot(root).render(
    <StrictMode>
      <Answers>
        <PageBoundary>{page}</PageBoundary>
      </Answers>
    </StrictMode>,
  );
}
