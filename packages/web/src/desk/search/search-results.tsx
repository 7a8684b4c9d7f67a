import type { DeskApp } from "@portico/protocol/schemas";
import { LogSkeleton } from "../../shared/talk/log/log-skeleton.tsx";
import { Button } from "../../shared/ui/button.tsx";
import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { useWords } from "../../shared/words/words.ts";
import lists from "../sessions/conversation-lists.module.css";
import { DESK } from "../words.ts";
import { MessageResult } from "./message-result.tsx";
import styles from "./search-results.module.css";
import { useSearch } from "./use-search.ts";
import { VisitorResult } from "./visitor-result.tsx";

/** Visitors and messages that contain what was typed. */
export function SearchResults({ apps, words }: { apps: readonly DeskApp[]; words: string }) {
  const say = useWords(DESK);
  const { found, error, isPending, retry, hasFurther, goFurther } = useSearch(apps, words);
  const visitors = found.flatMap(({ appId, visitors: all }) => all.map((visitor) => ({ appId, visitor })));
  const messages = found
    .flatMap(({ appId, messages: all }) => all.map((each) => ({ appId, ...each })))
    .sort((a, b) => b.message.createdAt - a.message.createdAt);
  const isNothing = !isPending && error === null && visitors.length === 0 && messages.length === 0;
  const isPast = found.some(({ before }) => before !== undefined);
  return (
    <div className={styles.results} aria-busy={isPending}>
      {error !== null && <ErrorNotice error={error} onRetry={retry} />}
      {isPending && found.length === 0 && <LogSkeleton />}
      {isNothing && <p className={styles.none}>{say(hasFurther ? "nothingNewFound" : "nothingFound")}</p>}
      {visitors.length > 0 && (
        <>
          <h2 className={lists.heading}>{say("visitors")}</h2>
          <ul aria-label={say("visitors")}>
            {visitors.map(({ appId, visitor }) => (
              <VisitorResult key={visitor.visitorId} appId={appId} visitor={visitor} />
            ))}
          </ul>
        </>
      )}
      {messages.length > 0 && (
        <>
          <h2 className={lists.heading}>{say("foundMessages")}</h2>
          <ul aria-label={say("foundMessages")}>
            {messages.map(({ appId, message, visitor }) => (
              <MessageResult key={message.messageId} appId={appId} message={message} visitor={visitor} words={words} />
            ))}
          </ul>
        </>
      )}
      {(hasFurther || (isPast && isPending)) && (
        <div className={styles.further}>
          <Button size="small" isBusy={isPending} onClick={goFurther}>
            {say("searchFurther")}
          </Button>
        </div>
      )}
    </div>
  );
}
