import { Button } from "antd";
import { useId, useState } from "react";
import { CannotSignNotice, canSign } from "../../shared/calls/cannot-sign-notice.tsx";
import type { OperationName } from "../../shared/calls/snippets/snippet-call.ts";
import { usePreferences } from "../../shared/look/preferences.ts";
import { useStartInfo } from "../../shared/session/start-info.ts";
import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { Notice } from "../../shared/ui/notice.tsx";
import { Page, Section } from "../../shared/ui/page.tsx";
import { type KeysOf, type Say, useWords } from "../../shared/words/words.ts";
import { useApp } from "../app/app-context.ts";
import { knownCredentialId, noteCredentialId } from "../credentials/known-credential-id.ts";
import { useAddress } from "../lists/address.ts";
import { AnswerView } from "./answer-view.tsx";
import { type CallInput, endpointOf, missingOf, snippetCallOf } from "./built-call.ts";
import { CallInputForm } from "./call-input-form.tsx";
import { CallSelect } from "./call-select.tsx";
import { CallerFields } from "./caller-fields.tsx";
import styles from "./explorer.module.css";
import { summaryIn } from "./hints.ts";
import { operationOf } from "./operations.ts";
import type { Caller } from "./read-credential.ts";
import { SnippetTabs } from "./snippet-tabs.tsx";
import { STARTERS } from "./starters.ts";
import { useSend } from "./use-send.ts";
import { EXPLORER } from "./words.ts";

/** Makes calls of the open API from the page, and shows them as code. */
export function ExplorerPage() {
  const say = useWords(EXPLORER);
  const id = useId();
  const { locale } = usePreferences();
  const { app } = useApp();
  const { params, change } = useAddress();
  const operation = operationOf(params.get("call"), app.type);
  // In the memory of this page alone.
  const [caller, setCaller] = useState<Caller>(() => ({ credentialId: knownCredentialId(app.appId), appSecret: "" }));
  const [inputs, setInputs] = useState<Inputs>({});
  const { access } = endpointOf(operation) as { access: { scope: string | null } };
  return (
    <Page title={say("title")} lead={say("lead")}>
      <div className={styles.fields}>
        <div className={styles.field}>
          <label htmlFor={id}>{say("call")}</label>
          <CallSelect
            id={id}
            value={operation}
            onChange={(call) => {
              // A browser's field of a file cannot be filled in again.
              setInputs(withoutFiles);
              change({ call });
            }}
          />
          <span className={styles.hint}>
            {summaryIn(locale, operation)}
            {locale === "zh-CN" ? "。" : ". "}
            {access.scope === null ? say("callNoScope") : say("callHint", { scope: access.scope })}
          </span>
        </div>
        <CallerFields
          caller={caller}
          onChange={(next) => {
            setCaller(next);
            if (next.credentialId !== "") noteCredentialId(app.appId, next.credentialId);
          }}
        />
      </div>
      <Call
        key={operation}
        operation={operation}
        caller={caller}
        input={inputs[operation] ?? startOf(operation)}
        onInput={(input) => setInputs((before) => ({ ...before, [operation]: input }))}
      />
    </Page>
  );
}

type Inputs = Readonly<Partial<Record<OperationName, CallInput>>>;

function withoutFiles(inputs: Inputs): Inputs {
  return Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, { ...input, file: null }]));
}

/** What a call begins with. */
function startOf(operation: OperationName): CallInput {
  return { params: {}, query: {}, json: JSON.stringify(STARTERS[operation] ?? {}, null, 2), file: null };
}

function Call({
  operation,
  caller,
  input,
  onInput,
}: {
  operation: OperationName;
  caller: Caller;
  input: CallInput;
  onInput: (input: CallInput) => void;
}) {
  const say = useWords(EXPLORER);
  const { appId } = useApp().app;
  const { data: info } = useStartInfo();
  const baseUrl = info?.baseUrl ?? location.origin;
  const isElsewhere = info !== undefined && URL.parse(info.consoleUrl)?.origin !== URL.parse(info.baseUrl)?.origin;
  const isSigned = canSign();
  const call = snippetCallOf(operation, input, { baseUrl, appId, credentialId: caller.credentialId || "cred_…" });
  const send = useSend();
  const hindrance = hindranceOf(operation, input, caller, say);
  return (
    <>
      <form
        className={styles.fields}
        onSubmit={(event) => {
          event.preventDefault();
          if (hindrance === null && !isElsewhere && isSigned && !send.isPending) {
            send.mutate({ call, appSecret: caller.appSecret, file: input.file });
          }
        }}
      >
        <CallInputForm operation={operation} input={input} onChange={onInput} />
        {isElsewhere && (
          <Notice tone="info" title={say("otherOrigin")}>
            <p>{say("otherOriginHint", { url: baseUrl })}</p>
          </Notice>
        )}
        {!isSigned && <CannotSignNotice />}
        {!isElsewhere && isSigned && (
          <div className={styles.send}>
            <Button type="primary" htmlType="submit" loading={send.isPending} disabled={hindrance !== null}>
              {say("send")}
            </Button>
            {hindrance && <span className={styles.hint}>{hindrance}</span>}
          </div>
        )}
      </form>
      <Section title={say("answer")}>
        <div className={styles.answer} aria-live="polite" aria-busy={send.isPending}>
          {send.isError && <ErrorNotice error={send.error} onRetry={() => send.mutate(send.variables)} />}
          {send.data && <AnswerView answer={send.data} />}
          {send.isIdle && <p className={styles.quiet}>{say("answerNone")}</p>}
        </div>
      </Section>
      <SnippetTabs call={call} />
    </>
  );
}

/** What keeps a call from being sent; null when nothing does. */
function hindranceOf(
  operation: OperationName,
  input: CallInput,
  { credentialId, appSecret }: Caller,
  say: Say<KeysOf<typeof EXPLORER>>,
): string | null {
  if (credentialId === "" || appSecret === "") return say("needCredential");
  const missing = missingOf(operation, input);
  if (missing.length > 0) return say("needParameters", { names: missing.join(", ") });
  return endpointOf(operation).takesFile && input.file === null ? say("needFile") : null;
}
