import type { AppScopeList } from "@portico/protocol";
import { Button } from "antd";
import { useState } from "react";
import { consoleApi } from "../../shared/session/console.ts";
import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { Pill, type Tone } from "../../shared/ui/pill.tsx";
import { useWords } from "../../shared/words/words.ts";
import { useApp } from "../app/app-context.ts";
import { useAppChange } from "../app/app-queries.ts";
import { APP } from "../app/words.ts";
import { type ListColumn, ListTable } from "../lists/list-table.tsx";
import { BrokenName } from "../ui/broken-name.tsx";
import styles from "./scopes-table.module.css";
import { WithdrawDialog } from "./withdraw-dialog.tsx";
import { SCOPE_PURPOSES, SCOPES_WORDS } from "./words.ts";

/** A scope as the application stands to it. */
export type AppScope = AppScopeList[number];

const STATES = {
  GRANTED: { word: "granted", tone: "good" },
  REQUESTED: { word: "requested", tone: "warn" },
  NONE: { word: "notHeld", tone: "neutral" },
} as const satisfies Record<AppScope["state"], { word: string; tone: Tone }>;

/** A row for each scope of the application's type. */
export function ScopesTable({ scopes }: { scopes: AppScopeList }) {
  const say = useWords(SCOPES_WORDS);
  const sayApp = useWords(APP);
  const { app, isOwner } = useApp();
  const [withdrawn, setWithdrawn] = useState<AppScope | null>(null);
  const params = { appId: app.appId };
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const request = useAppChange(app.appId, (asked: readonly AppScope[]) =>
    consoleApi.requestScopes({ params, body: { scopes: asked.map(({ scope }) => scope) } }),
  );
  const canRequest = ({ state }: AppScope) => state === "NONE" && app.status !== "DISABLED";
  const chosen = scopes.filter((scope) => canRequest(scope) && selected.has(scope.scope));
  const drop = useAppChange(app.appId, ({ scope }: AppScope) => consoleApi.dropScope({ params: { ...params, scope } }));
  const columns: ListColumn<AppScope>[] = [
    {
      title: say("scope"),
      key: "scope",
      cell: ({ scope }) => (
        <div className={styles.scope}>
          <code>
            <BrokenName name={scope} />
          </code>
          <span>{say(SCOPE_PURPOSES[scope])}</span>
        </div>
      ),
    },
    {
      title: say("risk"),
      key: "risk",
      kind: "wide",
      cell: ({ risk }) => <Pill tone={risk === "high" ? "bad" : "neutral"}>{say(risk)}</Pill>,
    },
    {
      title: say("state"),
      key: "state",
      cell: ({ state }) => <Pill tone={STATES[state].tone}>{say(STATES[state].word)}</Pill>,
    },
  ];
  const actions = (scope: AppScope) => (
    <ScopeAction
      scope={scope}
      isDisabled={app.status === "DISABLED"}
      isPending={
        (request.isPending && request.variables.includes(scope)) || (drop.isPending && drop.variables === scope)
      }
      onRequest={() => {
        drop.reset();
        request.mutate([scope]);
      }}
      onWithdraw={() => {
        request.reset();
        if (scope.state === "GRANTED") setWithdrawn(scope);
        else drop.mutate(scope);
      }}
    />
  );
  const failure = request.error ?? (withdrawn === null ? drop.error : null);
  return (
    <>
      {failure !== null && <ErrorNotice error={failure} />}
      {isOwner && chosen.length > 0 && (
        <div>
          <Button
            loading={request.isPending}
            onClick={() => {
              drop.reset();
              request.mutate(chosen, { onSuccess: () => setSelected(new Set()) });
            }}
          >
            {say("requestSelected", { count: chosen.length })}
          </Button>
        </div>
      )}
      <ListTable<AppScope>
        label={sayApp("scopes")}
        columns={columns}
        actions={isOwner ? actions : undefined}
        rows={scopes}
        idOf={({ scope }) => scope}
        selection={
          isOwner && scopes.filter(canRequest).length > 1
            ? { selected, onChange: setSelected, canSelect: canRequest, label: ({ scope }) => say("select", { scope }) }
            : undefined
        }
        empty={null}
      />
      {withdrawn !== null && (
        <WithdrawDialog
          scope={withdrawn.scope}
          isPending={drop.isPending}
          error={drop.error}
          onConfirm={() => drop.mutate(withdrawn, { onSuccess: () => setWithdrawn(null) })}
          onCancel={() => {
            drop.reset();
            setWithdrawn(null);
          }}
        />
      )}
    </>
  );
}

function ScopeAction({
  scope: { state, defaultGranted },
  isDisabled,
  isPending,
  onRequest,
  onWithdraw,
}: {
  scope: AppScope;
  isDisabled: boolean;
  isPending: boolean;
  onRequest: () => void;
  onWithdraw: () => void;
}) {
  const say = useWords(SCOPES_WORDS);
  if (state === "NONE") {
    return (
      <Button size="small" disabled={isDisabled} loading={isPending} onClick={onRequest}>
        {say("request")}
      </Button>
    );
  }
  if (defaultGranted) return <span className={styles.quiet}>{say("always")}</span>;
  return (
    <Button size="small" loading={isPending} onClick={onWithdraw}>
      {say("withdraw")}
    </Button>
  );
}
