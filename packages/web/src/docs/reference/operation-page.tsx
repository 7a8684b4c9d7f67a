import { useEffect } from "react";
import { useParams } from "react-router";
import { NotFound } from "../../shared/app/not-found.tsx";
import { CodeBlock } from "../../shared/ui/code-block.tsx";
import { useWords } from "../../shared/words/words.ts";
import { type ProofKind, proofKindOf } from "../calls/call-input.ts";
import { TryIt } from "../calls/try-it.tsx";
import { Method } from "../shell/method.tsx";
import { DOCS } from "../words.ts";
import { type Call, callsOf, type Media, parametersOf, useApiDocument } from "./api-document.ts";
import { CodeTabs } from "./code-tabs.tsx";
import { commandOf } from "./command.ts";
import { Errors } from "./errors.tsx";
import styles from "./operation-page.module.css";
import { SchemaView } from "./schema-view.tsx";

/** The words for how a caller proves who they are. */
const ACCESS = {
  signature: "needsSignature",
  bearer: "needsToken",
  cookie: "needsCookie",
  nothing: "needsNothing",
} as const satisfies Record<ProofKind, string>;

/** One call of the API, or one event: what it takes and gives, its errors, an example, and a try. */
export function OperationPage() {
  const { operationId } = useParams();
  const call = callsOf(useApiDocument()).find(({ operation }) => operation.operationId === operationId);
  return call === undefined ? <NotFound /> : <OperationView key={operationId} call={call} />;
}

function OperationView({ call }: { call: Call }) {
  const say = useWords(DOCS);
  const document = useApiDocument();
  const { method, path, operation } = call;
  const sent = firstMedia(operation.requestBody?.content);
  const answered = firstMedia(operation.responses["200"]?.content);
  useEffect(() => {
    window.document.title = `${operation.summary} · Portico`;
  }, [operation]);
  const parameters = parametersOf(call, document).filter((parameter) => parameter.in !== "header");
  const kind = proofKindOf(call);
  const isTried = method !== null && operation.responses["101"] === undefined && kind !== "cookie";
  return (
    <article className={styles.operation}>
      <header className={styles.header}>
        <p className={styles.place}>
          <Method method={method} /> <code>{path}</code>
        </p>
        <h1>{operation.summary}</h1>
        <p className={styles.quiet}>
          {method === null ? say("ownEvents") : say(ACCESS[kind])}
          {isTried && (
            <>
              {" · "}
              <a href="#try-it">{say("tryIt")}</a>
            </>
          )}
        </p>
        {operation.description && <p className={styles.description}>{operation.description}</p>}
      </header>
      <div className={styles.columns}>
        <div className={styles.text}>
          {parameters.length > 0 && (
            <section aria-label={say("parameters")}>
              <h2>{say("parameters")}</h2>
              <SchemaView
                schema={{
                  properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
                  required: parameters.filter(({ required }) => required).map(({ name }) => name),
                }}
              />
            </section>
          )}
          {sent && (
            <section aria-label={say("body")}>
              <h2>{say("body")}</h2>
              <SchemaView schema={sent.media.schema} />
            </section>
          )}
          {answered && (
            <section aria-label={say("answer")}>
              <h2>{say("answer")}</h2>
              <SchemaView schema={answered.media.schema} />
            </section>
          )}
          <Errors call={call} />
        </div>
        <div className={styles.examples}>
          {kind === "signature" && method !== null && <CodeTabs call={call} />}
          {kind !== "signature" && method !== null && (
            <CodeBlock title={say("copyCall")} text={commandOf(call, document)} />
          )}
          {sent && <CodeBlock title={say("body")} text={pretty(sent.media.example)} />}
          {answered && <CodeBlock title={say("answer")} text={pretty(answered.media.example)} />}
          {isTried && <TryIt call={call} />}
        </div>
      </div>
    </article>
  );
}

function firstMedia(content: Readonly<Record<string, Media>> | undefined): { type: string; media: Media } | undefined {
  const [first] = Object.entries(content ?? {});
  return first && { type: first[0], media: first[1] };
}

function pretty(example: unknown): string {
  return JSON.stringify(example, null, 2);
}
