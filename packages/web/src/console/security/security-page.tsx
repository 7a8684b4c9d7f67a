import { Page } from "../../shared/ui/page.tsx";
import { useWords } from "../../shared/words/words.ts";
import { CONSOLE } from "../words.ts";
import { IdentitiesSection } from "./identities-section.tsx";
import { PasswordSection } from "./password-section.tsx";
import { SecondFactorSection } from "./second-factor-section.tsx";
import { SECURITY } from "./words.ts";

/** How the developer signs in. */
export function SecurityPage() {
  const say = useWords(SECURITY);
  const sayConsole = useWords(CONSOLE);
  return (
    <Page title={sayConsole("security")} lead={say("lead")}>
      <PasswordSection />
      <SecondFactorSection />
      <IdentitiesSection />
    </Page>
  );
}
