import { SearchOutlined } from "@ant-design/icons-svg";
import { Suspense, useRef, useState } from "react";
import { part } from "../../shared/app/part.tsx";
import { PartBoundary } from "../../shared/app/part-boundary.tsx";
import pane from "../../shared/talk/list/conversation-list.module.css";
import { LogSkeleton } from "../../shared/talk/log/log-skeleton.tsx";
import { EmptyState } from "../../shared/ui/empty-state.tsx";
import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { Icon } from "../../shared/ui/icon.tsx";
import { dayOf, useNow } from "../../shared/words/format.ts";
import { useWords } from "../../shared/words/words.ts";
import { useShortcut } from "../keyboard/use-shortcut.ts";
import type { Conversation } from "../live/conversation.ts";
import { useDesk, useDeskNow } from "../live/use-desk.ts";
import { useStill } from "../search/use-still.ts";
import { DESK } from "../words.ts";
import { ConversationItem } from "./conversation-item.tsx";
import styles from "./conversation-lists.module.css";
import { NoticeList } from "./notice-list.tsx";

/** Loaded when somebody searches. */
const SearchResults = part(async () => (await import("../search/search-results.tsx")).SearchResults);

/** A page that stays open over midnight says so within this time. */
const RENEWED_MS = 60_000;
/** The service takes no longer words. */
const MAX_SEARCH_LENGTH = 64;
/** So many of a queue the page has. */
const MOST_WAITING = 100;

/** Who waits, in the order of the queue, and whom the agent has; of all applications or of one. */
export function ConversationLists({ openId }: { openId: string | null }) {
  const say = useWords(DESK);
  const { refresh } = useDesk();
  const { apps, waiting, own, error } = useDeskNow();
  const [words, setWords] = useState("");
  const [chosenApp, setChosenApp] = useState<string | null>(null);
  const appId = apps?.some((app) => app.appId === chosenApp) ? chosenApp : null;
  const isShown = (each: Conversation) => appId === null || each.appId === appId;
  const shownApps = (apps ?? []).filter((app) => appId === null || app.appId === appId);
  const shownWaiting = waiting.filter(isShown);
  const more = shownApps.reduce((sum, { queued }) => sum + queued, 0) - shownWaiting.length;
  const wanted = useStill(words.trim());
  const isSearching = words.trim() !== "";
  const searchField = useRef<HTMLInputElement>(null);
  useShortcut("search", () => searchField.current?.focus());
  const isOnline = apps?.some(({ status }) => status === "ONLINE") ?? false;
  return (
    <nav className={pane.pane} aria-label={say("conversations")}>
      {openId === null && <h1 className="visually-hidden">{say("area")}</h1>}
      {apps !== null && apps.length > 1 && (
        <label className={styles.apps}>
          <span className="visually-hidden">{say("application")}</span>
          <select value={appId ?? ""} onChange={({ target }) => setChosenApp(target.value || null)}>
            <option value="">{say("allApplications")}</option>
            {apps.map((app) => (
              <option key={app.appId} value={app.appId}>
                {app.name}
              </option>
            ))}
          </select>
        </label>
      )}
      {apps !== null && apps.length > 0 && (
        <label className={pane.search}>
          <Icon of={SearchOutlined} />
          <input
            ref={searchField}
            type="search"
            aria-label={say("search")}
            placeholder={say("search")}
            maxLength={MAX_SEARCH_LENGTH}
            value={words}
            onChange={({ target }) => setWords(target.value)}
          />
        </label>
      )}
      <NoticeList />
      {error !== null && <ErrorNotice error={error} onRetry={refresh} />}
      {apps === null && error === null && <LogSkeleton />}
      {apps?.length === 0 && <EmptyState title={say("noApps")} hint={say("noAppsHint")} />}
      {isSearching && wanted !== "" && (
        <PartBoundary instead={(failure) => <ErrorNotice error={failure} onRetry={() => location.reload()} />}>
          <Suspense fallback={<LogSkeleton />}>
            <SearchResults apps={shownApps} words={wanted} />
          </Suspense>
        </PartBoundary>
      )}
      <div className={styles.scroller} hidden={apps === null || apps.length === 0 || isSearching}>
        <Group
          name={say("waiting")}
          all={shownWaiting}
          openId={openId}
          showsApp={shownApps.length > 1}
          hint={more > 0 && shownWaiting.length >= MOST_WAITING ? say("moreWait", { count: more }) : undefined}
          empty={say("nobodyWaits")}
        />
        <Group
          name={say("mine")}
          all={own.filter(isShown)}
          openId={openId}
          showsApp={shownApps.length > 1}
          empty={say(isOnline ? "noneMineOnline" : "noneMine")}
        />
      </div>
    </nav>
  );
}

function Group({
  name,
  all,
  openId,
  showsApp,
  hint,
  empty,
}: {
  name: string;
  all: readonly Conversation[];
  openId: string | null;
  showsApp: boolean;
  hint?: string | undefined;
  empty: string;
}) {
  const { me } = useDesk();
  const { apps, typing } = useDeskNow();
  const day = dayOf(useNow(RENEWED_MS));
  return (
    <div className={styles.group}>
      <h2 className={styles.heading}>
        {name} {all.length > 0 && <span className={styles.number}>{all.length}</span>}
      </h2>
      <ul className={styles.items} aria-label={name}>
        {all.map((conversation) => (
          <ConversationItem
            key={conversation.id}
            conversation={conversation}
            isOpen={conversation.id === openId}
            isTyping={typing.has(conversation.session.sessionId)}
            appName={showsApp ? (apps?.find(({ appId }) => appId === conversation.appId)?.name ?? null) : null}
            myName={me.username}
            day={day}
          />
        ))}
      </ul>
      {all.length === 0 && <p className={styles.hint}>{empty}</p>}
      {hint !== undefined && <p className={styles.hint}>{hint}</p>}
    </div>
  );
}
