import type { SecondFactor } from "@portico/protocol";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Button } from "antd";
import { useState } from "react";
import { consoleApi } from "../../shared/session/console.ts";
import { Section } from "../../shared/ui/page.tsx";
import { Pill } from "../../shared/ui/pill.tsx";
import { TimeAgo } from "../../shared/ui/time-ago.tsx";
import { useWords } from "../../shared/words/words.ts";
import { QueryView } from "../ui/query-view.tsx";
import { NewCodesDialog } from "./new-codes-dialog.tsx";
import { TurnOffDialog } from "./turn-off-dialog.tsx";
import { TurnOnDialog } from "./turn-on-dialog.tsx";
import { SECURITY } from "./words.ts";

const KEY = ["second-factor"];

/** One's own second factor. */
export function SecondFactorSection() {
  const say = useWords(SECURITY);
  const client = useQueryClient();
  const query = useQuery({ queryKey: KEY, queryFn: ({ signal }) => consoleApi.getSecondFactor({}, { signal }) });
  const [asking, setAsking] = useState<"on" | "off" | "codes" | null>(null);
  const onDone = () => {
    setAsking(null);
    void client.invalidateQueries({ queryKey: KEY });
  };
  const { data } = query;
  const actions =
    data === undefined ? undefined : data.enabledAt === null ? (
      <Button type="primary" onClick={() => setAsking("on")}>
        {say("turnOn")}
      </Button>
    ) : (
      <>
        <Button onClick={() => setAsking("codes")}>{say("newCodes")}</Button>
        {!data.required && (
          <Button danger onClick={() => setAsking("off")}>
            {say("turnOff")}
          </Button>
        )}
      </>
    );
  return (
    <Section title={say("factor")} lead={say("factorLead")} actions={actions}>
      <QueryView query={query}>{(factor) => <State factor={factor} />}</QueryView>
      {asking === "on" && <TurnOnDialog onDone={onDone} />}
      {asking === "off" && <TurnOffDialog onDone={onDone} />}
      {asking === "codes" && <NewCodesDialog onDone={onDone} />}
    </Section>
  );
}

function State({ factor: { enabledAt, recoveryCodesLeft, required } }: { factor: SecondFactor }) {
  const say = useWords(SECURITY);
  return (
    <div>
      <p>
        <Pill tone={enabledAt === null ? "neutral" : "good"}>{say(enabledAt === null ? "isOff" : "isOn")}</Pill>
      </p>
      {enabledAt !== null && (
        <p>
          {say("since")} <TimeAgo at={enabledAt} /> · {say("codesLeft", { count: recoveryCodesLeft })}
        </p>
      )}
      {required && <p>{say("required")}</p>}
    </div>
  );
}
