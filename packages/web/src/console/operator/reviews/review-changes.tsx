import type { ReviewChange, ReviewedField } from "@portico/protocol";
import { Pill } from "../../../shared/ui/pill.tsx";
import { TimeAgo } from "../../../shared/ui/time-ago.tsx";
import { useWords } from "../../../shared/words/words.ts";
import { SCOPES_WORDS } from "../../scopes/words.ts";
import { BrokenName } from "../../ui/broken-name.tsx";
import type { ListedReview } from "./listed-review.ts";
import styles from "./reviews.module.css";
import { REVIEWS } from "./words.ts";

/** Fields whose values are names or addresses, not words. */
const CODES: ReadonlySet<ReviewedField> = new Set(["avatar", "allowedOrigins", "callbacks", "scopes"]);

/** What of an application is other than it was when it was approved last. */
export function ReviewChanges({ review: { approvedAt, changes, scopes } }: { review: ListedReview }) {
  const say = useWords(REVIEWS);
  const risky = new Set<string>(scopes.filter(({ risk }) => risk === "high").map(({ scope }) => scope));
  return (
    <>
      <p className={styles.since}>
        {approvedAt === null ? (
          say("neverApproved")
        ) : (
          <>
            {say(sinceWord(changes))} <TimeAgo at={approvedAt} />
          </>
        )}
      </p>
      {changes !== null && changes.length > 0 && (
        <dl className={styles.changes}>
          {changes.map((change) => (
            <div key={change.field}>
              <dt>{say(change.field)}</dt>
              <dd>
                <Change change={change} risky={risky} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}

function sinceWord(changes: readonly ReviewChange[] | null) {
  if (changes === null) return "sinceUnknown";
  return changes.length === 0 ? "sinceNothing" : "since";
}

/** What was taken away, then what is new; what stayed is left out. */
function Change({ change: { field, before, after }, risky }: { change: ReviewChange; risky: ReadonlySet<string> }) {
  const say = useWords(SCOPES_WORDS);
  return (
    <ul className={styles.values}>
      {before
        .filter((value) => !after.includes(value))
        .map((value) => (
          <li key={`- ${value}`}>
            <del>
              <Value field={field} value={value} />
            </del>
          </li>
        ))}
      {after
        .filter((value) => !before.includes(value))
        .map((value) => (
          <li key={`+ ${value}`}>
            <ins>
              <Value field={field} value={value} />
            </ins>
            {field === "scopes" && risky.has(value) && (
              <>
                {" "}
                <Pill tone="bad">{say("high")}</Pill>
              </>
            )}
          </li>
        ))}
    </ul>
  );
}

function Value({ field, value }: { field: ReviewedField; value: string }) {
  const say = useWords(REVIEWS);
  if (field === "anonymousVisitors") return say("allowed");
  if (!CODES.has(field)) return value;
  return (
    <code>
      <BrokenName name={value} />
    </code>
  );
}
