import type { AppReview } from "@portico/protocol";
import { EmptyState } from "../../shared/ui/empty-state.tsx";
import { Notice } from "../../shared/ui/notice.tsx";
import { Page } from "../../shared/ui/page.tsx";
import { useWords } from "../../shared/words/words.ts";
import { useApp } from "../app/app-context.ts";
import type { AppDetail } from "../app/app-queries.ts";
import { APP } from "../app/words.ts";
import { ScopesTable } from "./scopes-table.tsx";
import { SCOPES_WORDS } from "./words.ts";

/** What an application may do, has asked to do, and may ask for. */
export function ScopesPage() {
  const say = useWords(SCOPES_WORDS);
  const sayApp = useWords(APP);
  const { app } = useApp();
  return (
    <Page title={sayApp("scopes")} lead={say("lead")}>
      <ReviewNotice app={app} />
      {app.scopes.length === 0 ? (
        <EmptyState title={say("none")} hint={say("noneHint")} />
      ) : (
        <ScopesTable scopes={app.scopes} />
      )}
    </Page>
  );
}

/** What stands between asking and getting: the submission, the review, what the reviewer said. */
function ReviewNotice({ app: { status, scopes, review } }: { app: AppDetail }) {
  const say = useWords(SCOPES_WORDS);
  const asks = scopes.some(({ state }) => state === "REQUESTED");
  if (review?.state === "PENDING") return <Notice tone="info" title={say("pending")} />;
  return (
    <>
      {wasRefused(review) && (
        <Notice tone="warning" title={say("rejected")}>
          <p style={{ whiteSpace: "pre-line" }}>{review.comment}</p>
        </Notice>
      )}
      {asks && <Notice tone="info" title={say(status === "ACTIVE" ? "resubmit" : "unsubmitted")} />}
    </>
  );
}

function wasRefused(review: AppReview | null): review is AppReview {
  return review?.state === "REJECTED";
}
