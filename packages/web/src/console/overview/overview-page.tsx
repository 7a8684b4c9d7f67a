import { Page } from "../../shared/ui/page.tsx";
import { useWords } from "../../shared/words/words.ts";
import { useApp } from "../app/app-context.ts";
import { APP } from "../app/words.ts";
import { DisabledNotice } from "./disabled-notice.tsx";
import { NextStepsSection } from "./next-steps-section.tsx";
import { ProfileSection } from "./profile-section.tsx";
import { QuotaSection } from "./quota-section.tsx";
import { RehearsalSection } from "./rehearsal-section.tsx";
import { ReviewSection } from "./review-section.tsx";
import { OVERVIEW } from "./words.ts";

/** Where an application stands: what is to be done, its profile, its review, its quota. */
export function OverviewPage() {
  const say = useWords(OVERVIEW);
  const sayApp = useWords(APP);
  const { app } = useApp();
  return (
    <Page title={sayApp("overview")} lead={say("lead")}>
      {app.status === "DISABLED" && <DisabledNotice reason={app.disabledReason} />}
      <NextStepsSection />
      <ReviewSection />
      <ProfileSection />
      <QuotaSection />
      <RehearsalSection />
    </Page>
  );
}
