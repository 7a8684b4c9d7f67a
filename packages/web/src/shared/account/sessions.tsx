import type { OwnSession } from "@portico/protocol/schemas";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { memberApi } from "../session/member.ts";
import { Button } from "../ui/button.tsx";
import { ErrorNotice } from "../ui/error-notice.tsx";
import { Pill } from "../ui/pill.tsx";
import { TimeAgo } from "../ui/time-ago.tsx";
import { useWords } from "../words/words.ts";
import styles from "./account-dialog.module.css";
import { browserOf } from "./browser-of.ts";
import { SIGN_INS } from "./dialog-words.ts";

const KEY = ["own-sessions"];
/** A dialog shows so many; what was not used for longer comes with the others, which end together. */
const MAX_SHOWN = 10;

/** Where the member is signed in; the others can be ended, one or all of them. */
export function Sessions() {
  const say = useWords(SIGN_INS);
  const client = useQueryClient();
  const query = useQuery({ queryKey: KEY, queryFn: ({ signal }) => memberApi.listSessions({}, { signal }) });
  const onSuccess = () => client.invalidateQueries({ queryKey: KEY });
  const end = useMutation({
    mutationFn: (sessionId: string) => memberApi.endSession({ params: { sessionId } }),
    onSuccess,
  });
  const endOthers = useMutation({ mutationFn: () => memberApi.endOtherSessions(), onSuccess });
  const sessions = query.data?.items ?? [];
  const [current, others] = [sessions.filter((each) => each.current), sessions.filter((each) => !each.current)];
  const shown = [...current, ...others].slice(0, MAX_SHOWN);
  const error = query.error ?? end.error ?? endOthers.error;
  return (
    <section aria-label={say("sessions")}>
      <h3 className={styles.title}>{say("sessions")}</h3>
      <p>{say("sessionsLead")}</p>
      {error !== null && <ErrorNotice error={error} />}
      <ul className={styles.sessions} aria-busy={query.isPending}>
        {shown.map((session) => (
          <Row
            key={session.sessionId}
            session={session}
            isEnding={end.isPending && end.variables === session.sessionId}
            onEnd={() => end.mutate(session.sessionId)}
          />
        ))}
      </ul>
      {sessions.length > MAX_SHOWN && (
        <p className={styles.quiet}>{say("moreSessions", { count: sessions.length - MAX_SHOWN })}</p>
      )}
      {others.length > 0 && (
        <div className={styles.form}>
          <Button isBusy={endOthers.isPending} onClick={() => endOthers.mutate()}>
            {say("endOthers")}
          </Button>
        </div>
      )}
    </section>
  );
}

function Row({ session, isEnding, onEnd }: { session: OwnSession; isEnding: boolean; onEnd: () => void }) {
  const say = useWords(SIGN_INS);
  const { userAgent, address, lastUsedAt, current } = session;
  const browser = browserOf(userAgent) ?? say("unknownDevice");
  return (
    <li className={styles.session}>
      <div>
        <p title={userAgent}>
          {browser} {current && <Pill tone="accent">{say("thisDevice")}</Pill>}
        </p>
        <p className={styles.quiet}>
          {address !== "" && (
            <>
              <code>{address}</code> ·{" "}
            </>
          )}
          <TimeAgo at={lastUsedAt} />
        </p>
      </div>
      {!current && (
        <Button size="small" isBusy={isEnding} aria-label={say("endNamed", { name: browser })} onClick={onEnd}>
          {say("endSession")}
        </Button>
      )}
    </li>
  );
}
