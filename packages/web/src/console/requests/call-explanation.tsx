import { CheckCircleFilled, CloseCircleFilled } from "@ant-design/icons-svg";
import type { CallRefusal, RequestExplanation } from "@portico/protocol";
import { usePreferences } from "../../shared/look/preferences.ts";
import { CodeBlock } from "../../shared/ui/code-block.tsx";
import { Copyable } from "../../shared/ui/copyable.tsx";
import { Icon } from "../../shared/ui/icon.tsx";
import { useFormat } from "../../shared/words/format.ts";
import { useWords } from "../../shared/words/words.ts";
import { QueryView } from "../ui/query-view.tsx";
import styles from "./call-explanation.module.css";
import { CHECKS } from "./check-words.ts";
import { explainCall } from "./explain-call.ts";
import { MISTAKES } from "./mistake-words.ts";
import { useRequest } from "./request-queries.ts";
import { SignatureComparison } from "./signature-comparison.tsx";
import { REQUESTS } from "./words.ts";

/** What became of a call: what failed, why, what to do; of a wrong signature what was signed instead. */
export function CallExplanation({ appId, reqNo }: { appId: string; reqNo: string }) {
  const say = useWords(REQUESTS);
  const query = useRequest(appId, reqNo);
  return (
    <section aria-label={say("explanation")} className={styles.explanation}>
      <QueryView query={query}>
        {(call) => (
          <>
            <Verdict call={call} />
            {call.check === "signature" && (
              <SignatureComparison key={call.reqNo} details={signatureOf(call)} rawQuery={call.query ?? ""} />
            )}
            <Facts call={call} />
            {call.check === null ? (
              <p className={styles.note}>{say("noneKept")}</p>
            ) : (
              <CodeBlock title={say("headers")} text={headerLines(call.headers)} />
            )}
          </>
        )}
      </QueryView>
    </section>
  );
}

type SignatureDetails = Extract<CallRefusal, { check: "signature" }>["details"];

/** The schema allows any combination of check and details; the service sends the details of the check. */
function signatureOf({ details }: RequestExplanation): SignatureDetails {
  return details as SignatureDetails;
}

function headerLines(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
}

function Verdict({ call }: { call: RequestExplanation }) {
  const say = useWords(REQUESTS);
  const language = {
    locale: usePreferences().locale,
    format: useFormat(),
    say: useWords(CHECKS),
    sayMistake: useWords(MISTAKES),
  };
  const verdict = explainCall(call, language);
  if (verdict === null) {
    return (
      <p className={styles.success}>
        <Icon of={CheckCircleFilled} /> {say("success")}
      </p>
    );
  }
  const { what, why, todo } = verdict;
  return (
    <dl className={styles.verdict}>
      <div>
        <dt>{say("what")}</dt>
        <dd className={styles.what}>
          <Icon of={CloseCircleFilled} /> {what}
        </dd>
      </div>
      <div>
        <dt>{say("why")}</dt>
        <dd>{why}</dd>
      </div>
      <div>
        <dt>{say("todo")}</dt>
        <dd>
          {todo.map((each) => (
            <p key={each}>{each}</p>
          ))}
        </dd>
      </div>
    </dl>
  );
}

function Facts({ call }: { call: RequestExplanation }) {
  const say = useWords(REQUESTS);
  const format = useFormat();
  const credential = call.headers["X-Open-Credential-Id"];
  const size = bodySizeOf(call);
  return (
    <dl className={styles.facts}>
      <dt>reqNo</dt>
      <dd>
        <Copyable text={call.reqNo} label="reqNo" />
      </dd>
      <dt>{say("call")}</dt>
      <dd>
        <code>
          {call.method} {call.path}
          {call.query !== null && `?${call.query}`}
        </code>
      </dd>
      <dt>{say("answer")}</dt>
      <dd>
        <code>
          {call.status} {call.code}
        </code>{" "}
        · {format.duration(call.durationMs)}
      </dd>
      <dt>{say("arrived")}</dt>
      <dd>{format.dateTime(call.at)}</dd>
      {credential !== undefined && (
        <>
          <dt>{say("credential")}</dt>
          <dd>
            <code>{credential}</code>
          </dd>
        </>
      )}
      {size !== undefined && (
        <>
          <dt>{say("bodySize")}</dt>
          <dd>
            {size < 1_000 ? format.bytes(size) : say("bytes", { size: format.bytes(size), count: format.number(size) })}
          </dd>
        </>
      )}
    </dl>
  );
}

/** Bytes of the body, where the log knows them. */
function bodySizeOf(call: RequestExplanation): number | undefined {
  if (call.check === "signature") return signatureOf(call).bodyLength;
  const announced = call.headers["Content-Length"];
  return announced === undefined || !/^\d{1,15}$/.test(announced) ? undefined : Number(announced);
}
