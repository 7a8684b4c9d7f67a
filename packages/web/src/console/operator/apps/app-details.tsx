import { useQuery } from "@tanstack/react-query";
import { Button, Progress } from "antd";
import { useState } from "react";
import { operatorApi } from "../../../shared/session/console.ts";
import { useFormat } from "../../../shared/words/format.ts";
import { useWords } from "../../../shared/words/words.ts";
import { OVERVIEW } from "../../overview/words.ts";
import { BrokenName } from "../../ui/broken-name.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { OPERATOR_KEY } from "../operator-queries.ts";
import styles from "./app-details.module.css";
import { QuotaDialog } from "./quota-dialog.tsx";
import { ALL_APPS } from "./words.ts";

type AnyAppDetail = Awaited<ReturnType<typeof operatorApi.getApp>>;

/** What an application is for, may do, and has used today. */
export function AppDetails({ appId }: { appId: string }) {
  const query = useQuery({
    queryKey: [OPERATOR_KEY, "app", appId],
    queryFn: ({ signal }) => operatorApi.getApp({ params: { appId } }, { signal }),
  });
  return (
    <QueryView query={query}>
      {(app) => (
        <div className={styles.details}>
          <Facts app={app} />
          <Quota app={app} />
        </div>
      )}
    </QueryView>
  );
}

function Facts({ app: { description, disabledReason, owner, allowedOrigins, scopes } }: { app: AnyAppDetail }) {
  const say = useWords(ALL_APPS);
  const granted = scopes.filter(({ state }) => state === "GRANTED");
  return (
    <dl className={styles.facts}>
      {disabledReason !== null && (
        <div>
          <dt>{say("disabledFor")}</dt>
          <dd className={styles.said}>{disabledReason}</dd>
        </div>
      )}
      {description !== "" && (
        <div>
          <dt>{say("description")}</dt>
          <dd className={styles.said}>{description}</dd>
        </div>
      )}
      {owner !== null && (
        <div>
          <dt>{say("owner")}</dt>
          <dd>
            {owner.name} <code>{owner.phone}</code>
          </dd>
        </div>
      )}
      <div>
        <dt>{say("scopes")}</dt>
        <dd>
          <ul className={styles.codes}>
            {granted.map(({ scope }) => (
              <li key={scope}>
                <code>
                  <BrokenName name={scope} />
                </code>
              </li>
            ))}
          </ul>
          {granted.length === 0 && "–"}
        </dd>
      </div>
      {allowedOrigins.length > 0 && (
        <div>
          <dt>{say("sites")}</dt>
          <dd>
            <ul className={styles.codes}>
              {allowedOrigins.map((origin) => (
                <li key={origin}>
                  <code>{origin}</code>
                </li>
              ))}
            </ul>
          </dd>
        </div>
      )}
    </dl>
  );
}

function Quota({ app }: { app: AnyAppDetail }) {
  const say = useWords(OVERVIEW);
  const sayApps = useWords(ALL_APPS);
  const format = useFormat();
  const [isEditing, setEditing] = useState(false);
  const { quota } = app;
  return (
    <section aria-label={say("quota")} className={styles.quota}>
      <dl className={styles.limits}>
        {(["perMinute", "perDay", "concurrent"] as const).map((limit) => (
          <div key={limit}>
            <dt>{say(limit)}</dt>
            <dd>
              {format.number(quota[limit])} {quota.isDefault[limit] || <small>{say("ownLimit")}</small>}
            </dd>
          </div>
        ))}
      </dl>
      <div>
        <span>{say("usedToday", { used: format.number(quota.usedToday), limit: format.number(quota.perDay) })}</span>
        <Progress
          percent={Math.min((quota.usedToday / quota.perDay) * 100, 100)}
          showInfo={false}
          size="small"
          aria-label={say("quota")}
        />
      </div>
      <div>
        <Button size="small" onClick={() => setEditing(true)}>
          {sayApps("editQuota")}
        </Button>
      </div>
      {isEditing && <QuotaDialog app={app} onDone={() => setEditing(false)} />}
    </section>
  );
}
