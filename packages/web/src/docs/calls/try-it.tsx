import { useMutation } from "@tanstack/react-query";
import { type SubmitEvent, useId, useState } from "react";
import { CannotSignNotice, canSign } from "../../shared/calls/cannot-sign-notice.tsx";
import { makeCall } from "../../shared/calls/make-call.ts";
import { payloadOf } from "../../shared/calls/payload.ts";
import type { SnippetCall } from "../../shared/calls/snippets/snippet-call.ts";
import { Button } from "../../shared/ui/button.tsx";
import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { TextField } from "../../shared/ui/text-field.tsx";
import { useWords } from "../../shared/words/words.ts";
import { type Call, parametersOf, TENANT_HEADER, useApiDocument } from "../reference/api-document.ts";
import { DOCS } from "../words.ts";
import { CallAnswerView } from "./call-answer.tsx";
import { addressOf, isValidJson, PROOF_FIELDS, proofKindOf, proofOf } from "./call-input.ts";
import { useCredentials } from "./credentials.ts";
import styles from "./try-it.module.css";

const SECRETS: ReadonlySet<string> = new Set(["appSecret", "accessToken"]);

/** What a message says in the description's examples. */
const SAMPLE_TEXT = "Build 1234 passed";

const sampleOf = (example: unknown): string => JSON.stringify(example, null, 2) ?? "";

/** Makes the call from the page, where the page can. */
export function TryIt({ call }: { call: Call }) {
  const say = useWords(DOCS);
  return (
    <section id="try-it" aria-label={say("tryIt")} className={styles.try}>
      <h2>{say("tryIt")}</h2>
      {proofKindOf(call) === "signature" && !canSign() ? <CannotSignNotice /> : <TryForm call={call} />}
    </section>
  );
}

/** A form that makes the call, and what came of it. */
function TryForm({ call }: { call: Call }) {
  const say = useWords(DOCS);
  const document = useApiDocument();
  const [credentials, changeCredentials] = useCredentials();
  const kind = proofKindOf(call);
  const parameters = parametersOf(call, document).filter(
    ({ name, in: place }) => place !== "header" || name === TENANT_HEADER,
  );
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const content = call.operation.requestBody?.content ?? {};
  const isJson = "application/json" in content;
  const [json, setJson] = useState(() =>
    sampleOf(content["application/json"]?.example).replaceAll(SAMPLE_TEXT, say("sampleText")),
  );
  const [file, setFile] = useState<File | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const bodyId = useId();

  const made = useMutation({
    mutationFn: async (body: SnippetCall["body"]) =>
      makeCall({
        method: call.method ?? "GET",
        ...addressOf(call, parameters, values),
        payload: await payloadOf(body, file),
        proof: proofOf(kind, credentials),
      }),
  });

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const missing = [
      ...PROOF_FIELDS[kind].filter((name) => credentials[name].trim() === "").map((name) => say(name)),
      ...parameters.filter(({ name, required }) => required && !values[name]?.trim()).map(({ name }) => name),
      ...("multipart/form-data" in content && file === null ? [say("file")] : []),
    ];
    if (missing.length > 0) return setFault(say("fillIn", { names: missing.join(say("comma")) }));
    if (isJson && !isValidJson(json)) return setFault(say("badJson"));
    setFault(null);
    if (isJson) made.mutate({ json });
    else made.mutate(file && { fileName: file.name, mimeType: file.type || "application/octet-stream" });
  };

  return (
    <>
      <p className={styles.quiet}>{say("tryLead")}</p>
      <form onSubmit={submit} noValidate>
        {PROOF_FIELDS[kind].map((name) => (
          <TextField
            key={name}
            label={say(name)}
            type={SECRETS.has(name) ? "password" : "text"}
            autoComplete="off"
            spellCheck={false}
            value={credentials[name]}
            onChange={({ currentTarget }) => changeCredentials({ [name]: currentTarget.value })}
            hint={name === "appSecret" && say("secretLead")}
          />
        ))}
        {parameters.map(({ name, required, example, schema }) => (
          <TextField
            key={name}
            label={required ? name : say("optional", { name })}
            spellCheck={false}
            placeholder={String(example ?? schema.default ?? schema.enum?.join(" | ") ?? "")}
            value={values[name] ?? ""}
            onChange={({ currentTarget }) => setValues({ ...values, [name]: currentTarget.value })}
          />
        ))}
        {isJson && (
          <div className={styles.body}>
            <label htmlFor={bodyId}>{say("body")}</label>
            <textarea
              id={bodyId}
              rows={Math.max(4, Math.min(16, json.split("\n").length))}
              spellCheck={false}
              value={json}
              onChange={({ currentTarget }) => setJson(currentTarget.value)}
            />
          </div>
        )}
        {"multipart/form-data" in content && (
          <div className={styles.body}>
            <label htmlFor={bodyId}>{say("file")}</label>
            <input
              id={bodyId}
              type="file"
              onChange={({ currentTarget }) => setFile(currentTarget.files?.[0] ?? null)}
            />
          </div>
        )}
        {fault !== null && (
          <p role="alert" className={styles.fault}>
            {fault}
          </p>
        )}
        <Button type="submit" kind="primary" isBusy={made.isPending}>
          {say("send")}
        </Button>
      </form>
      {made.isError && <ErrorNotice error={made.error} onRetry={() => made.mutate(made.variables)} />}
      {made.data && <CallAnswerView answer={made.data} />}
    </>
  );
}
