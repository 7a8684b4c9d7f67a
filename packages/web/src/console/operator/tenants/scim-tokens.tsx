import { useQuery } from "@tanstack/react-query";
import { Button, Form, Input } from "antd";
import { useState } from "react";
import { operatorApi } from "../../../shared/session/console.ts";
import { useStartInfo } from "../../../shared/session/start-info.ts";
import { TimeAgo } from "../../../shared/ui/time-ago.tsx";
import { useWords } from "../../../shared/words/words.ts";
import { type ListColumn, ListTable } from "../../lists/list-table.tsx";
import persons from "../../persons/persons.module.css";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { ShownOnceDialog } from "../../ui/shown-once-dialog.tsx";
import { OPERATOR_KEY, useOperatorChange } from "../operator-queries.ts";
import { OPERATOR } from "../shell/words.ts";
import { TENANTS } from "./words.ts";

type Token = Awaited<ReturnType<typeof operatorApi.listScimTokens>>["items"][number];
type NewToken = Awaited<ReturnType<typeof operatorApi.createScimToken>>;

const MAX_NAME_LENGTH = 100;

/** The tokens with which directories manage a tenant's people. */
export function ScimTokens({ tenantId }: { tenantId: string }) {
  const say = useWords(TENANTS);
  const [asking, setAsking] = useState<"new" | Token | null>(null);
  const [made, setMade] = useState<NewToken | null>(null);
  const query = useQuery({
    queryKey: [OPERATOR_KEY, "scim-tokens", tenantId],
    queryFn: ({ signal }) => operatorApi.listScimTokens({ params: { tenantId } }, { signal }),
  });
  const columns: ListColumn<Token>[] = [
    { title: say("tokenName"), key: "name", cell: ({ name }) => name },
    { title: say("madeAt"), key: "madeAt", cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
  ];
  const onDone = () => setAsking(null);
  return (
    <section aria-label={say("directory")} className={`${persons.part} ${persons.opened}`}>
      <h2>{say("directory")}</h2>
      <p className={persons.quiet}>{say("directoryLead")}</p>
      <QueryView query={query}>
        {({ items }) => (
          <ListTable<Token>
            label={say("tokens")}
            columns={columns}
            rows={items}
            idOf={({ tokenId }) => tokenId}
            actions={(token) => (
              <Button size="small" danger onClick={() => setAsking(token)}>
                {say("deleteToken")}
              </Button>
            )}
            empty={<p>{say("noTokens")}</p>}
          />
        )}
      </QueryView>
      <div className={persons.buttons}>
        <Button size="small" onClick={() => setAsking("new")}>
          {say("newToken")}
        </Button>
      </div>
      {asking === "new" && <NewTokenDialog tenantId={tenantId} onMade={setMade} onDone={onDone} />}
      {asking !== null && asking !== "new" && <DeleteDialog tenantId={tenantId} token={asking} onDone={onDone} />}
      {made !== null && <MadeDialog tenantId={tenantId} token={made} onStored={() => setMade(null)} />}
    </section>
  );
}

function NewTokenDialog({
  tenantId,
  onMade,
  onDone,
}: {
  tenantId: string;
  onMade: (token: NewToken) => void;
  onDone: () => void;
}) {
  const say = useWords(TENANTS);
  const sayOperator = useWords(OPERATOR);
  const make = useOperatorChange(({ name }: { name: string }) =>
    operatorApi.createScimToken({ params: { tenantId }, body: { name: name.trim() } }),
  );
  return (
    <FormDialog<{ name: string }>
      title={say("newToken")}
      action={sayOperator("create")}
      isPending={make.isPending}
      error={make.error}
      onSubmit={(fields) =>
        make.mutate(fields, {
          onSuccess: (token) => {
            onDone();
            onMade(token);
          },
        })
      }
      onCancel={onDone}
    >
      <Form.Item
        name="name"
        label={say("tokenName")}
        extra={say("tokenNameHint")}
        rules={[{ required: true, whitespace: true, message: sayOperator("needName") }]}
      >
        <Input autoComplete="off" autoFocus maxLength={MAX_NAME_LENGTH} />
      </Form.Item>
    </FormDialog>
  );
}

/** The address and the token: what a directory asks for. */
function MadeDialog({ tenantId, token, onStored }: { tenantId: string; token: NewToken; onStored: () => void }) {
  const say = useWords(TENANTS);
  const { data: info } = useStartInfo();
  const address = `${info?.baseUrl ?? location.origin}/scim/v2/${encodeURIComponent(tenantId)}`;
  return (
    <ShownOnceDialog
      title={say("tokenMade", { name: token.name })}
      warning={say("tokenWarning")}
      values={[
        { name: "SCIM URL", value: address },
        { name: "token", value: token.token },
      ]}
      onStored={onStored}
    />
  );
}

function DeleteDialog({ tenantId, token, onDone }: { tenantId: string; token: Token; onDone: () => void }) {
  const say = useWords(TENANTS);
  const { tokenId, name } = token;
  const remove = useOperatorChange(() => operatorApi.deleteScimToken({ params: { tenantId, tokenId } }));
  return (
    <ConfirmDialog
      title={say("deleteTokenTitle", { name })}
      action={say("deleteToken")}
      isDangerous
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(undefined, { onSuccess: onDone })}
      onCancel={onDone}
    >
      <p>{say("deleteTokenWhat")}</p>
    </ConfirmDialog>
  );
}
