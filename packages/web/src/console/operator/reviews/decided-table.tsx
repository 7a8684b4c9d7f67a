import type { ReactNode } from "react";
import { TimeAgo } from "../../../shared/ui/time-ago.tsx";
import { useWords } from "../../../shared/words/words.ts";
import { type ListColumn, ListTable } from "../../lists/list-table.tsx";
import { AppName } from "../apps/app-name.tsx";
import { OPERATOR } from "../shell/words.ts";
import type { ListedReview, ReviewPage } from "./listed-review.ts";
import styles from "./reviews.module.css";
import { REVIEWS } from "./words.ts";

/** A page of reviews that were decided, or withdrawn by their owner. */
export function DecidedTable({
  reviews,
  onPage,
  empty,
}: {
  reviews: ReviewPage;
  onPage: (page: number) => void;
  empty: ReactNode;
}) {
  const say = useWords(REVIEWS);
  const sayOperator = useWords(OPERATOR);
  const columns: ListColumn<ListedReview>[] = [
    { title: sayOperator("name"), key: "name", cell: ({ app }) => <AppName app={app} /> },
    {
      title: say("decided"),
      key: "at",
      cell: ({ reviewedAt, submittedAt }) => <TimeAgo at={reviewedAt ?? submittedAt} />,
    },
    {
      title: say("comment"),
      key: "comment",
      kind: "wide",
      cell: ({ comment }) => <span className={styles.said}>{comment || "–"}</span>,
    },
  ];
  return (
    <ListTable<ListedReview>
      label={sayOperator("reviews")}
      columns={columns}
      rows={reviews.items}
      idOf={({ app, submittedAt }) => `${app.appId} ${submittedAt}`}
      paging={{ page: reviews.page, total: reviews.total, onPage }}
      empty={empty}
    />
  );
}
