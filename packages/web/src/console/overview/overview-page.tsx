import { Page } from "../../shared/ui/page.tsx";
import { useWords } from "../../shared/words/words.ts";
import { APP } from "../app/words.ts";
import { QuotaSection } from "./quota-section.tsx";

/** Where an application stands. */
export function OverviewPage() {
  const sayApp = useWords(APP);
  return (
    <Page title={sayApp("overview")}>
      <QuotaSection />
    </Page>
  );
}
