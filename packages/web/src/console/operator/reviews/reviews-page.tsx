import type { ReviewState } from "@portico/protocol";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { operatorApi } from "../../../shared/session/console.ts";
import { EmptyState } from "../../../shared/ui/empty-state.tsx";
import { Page } from "../../../shared/ui/page.tsx";
import { useWords } from "../../../shared/words/words.ts";
import { oneOf, pageIn, useAddress } from "../../lists/address.ts";
import { FilterBar } from "../../lists/filter-bar.tsx";
import { FilterSelect } from "../../lists/filter-select.tsx";
import { PAGE_SIZE, PagingBar } from "../../lists/paging-bar.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { OPERATOR_KEY } from "../operator-queries.ts";
import { OPERATOR } from "../shell/words.ts";
import { DecidedTable } from "./decided-table.tsx";
import type { ListedReview, ReviewPage } from "./listed-review.ts";
import { PendingReview } from "./pending-review.tsx";
import styles from "./reviews.module.css";
import { useSteadyList } from "./use-steady-list.ts";
import { REVIEWS } from "./words.ts";

/** Reviews that wait come without the page. */
const RENEWED_MS = 15_000;

const DECIDED = ["APPROVED", "REJECTED", "WITHDRAWN"] as const;
const DECIDED_WORDS = { APPROVED: "approved", REJECTED: "rejected", WITHDRAWN: "withdrawn" } as const;

/** What waits for an operator's decision, and what was decided. */
export function ReviewsPage() {
  const say = useWords(REVIEWS);
  const sayOperator = useWords(OPERATOR);
  const { params, change, narrow } = useAddress();
  const decided = oneOf(params.get("state"), DECIDED);
  const filter = { state: decided ?? "PENDING", page: pageIn(params), pageSize: PAGE_SIZE } as const;
  const query = useQuery({
    queryKey: [OPERATOR_KEY, "reviews", filter],
    queryFn: ({ signal }) => operatorApi.listReviews({ query: filter }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: decided === undefined && RENEWED_MS,
  });
  const onPage = (page: number) => change({ page });
  return (
    <Page title={sayOperator("reviews")} lead={say("lead")}>
      <FilterBar>
        <FilterSelect
          label={sayOperator("state")}
          all={say("waiting")}
          value={decided}
          options={DECIDED.map((each) => ({ value: each, label: say(DECIDED_WORDS[each]) }))}
          onChange={(state) => narrow({ state })}
        />
      </FilterBar>
      <QueryView query={query}>
        {(reviews) =>
          decided === undefined ? (
            <Waiting reviews={reviews} onPage={onPage} />
          ) : (
            <DecidedTable
              reviews={inState(reviews, decided)}
              onPage={onPage}
              empty={<EmptyState title={say("noneDecided")} hint={say("noneDecidedHint")} />}
            />
          )
        }
      </QueryView>
    </Page>
  );
}

/** While another state is asked for, the reviews of the last one are still there. */
function inState(reviews: ReviewPage, wanted: ReviewState): ReviewPage {
  return { ...reviews, items: reviews.items.filter(({ state }) => state === wanted) };
}

function Waiting({ reviews, onPage }: { reviews: ReviewPage; onPage: (page: number) => void }) {
  const say = useWords(REVIEWS);
  const sayOperator = useWords(OPERATOR);
  const items = useMemo(() => reviews.items.filter(({ state }) => state === "PENDING"), [reviews.items]);
  const listed = useSteadyList(items, keyOf, String(reviews.page));
  if (listed.length === 0 && reviews.total === 0) return <EmptyState title={say("none")} hint={say("noneHint")} />;
  return (
    <>
      <ul className={styles.reviews} aria-label={sayOperator("reviews")}>
        {listed.map(({ item, isGone }) => (
          <li key={keyOf(item)}>
            <PendingReview review={item} isGone={isGone} />
          </li>
        ))}
      </ul>
      <PagingBar page={reviews.page} total={reviews.total} onPage={onPage} />
    </>
  );
}

function keyOf({ app, submittedAt }: ListedReview): string {
  return `${app.appId} ${submittedAt}`;
}
