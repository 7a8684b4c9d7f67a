import type { SecondStep as Step } from "@portico/protocol";
import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { part } from "../../shared/app/part.tsx";
import { consoleApi } from "../../shared/session/console.ts";
import { ProviderLink } from "../../shared/sign-in/provider-link.tsx";
import { Button } from "../../shared/ui/button.tsx";
import { SignInFrame } from "../../shared/ui/sign-in-frame.tsx";
import { useWords } from "../../shared/words/words.ts";
import { CONSOLE } from "../words.ts";
import styles from "./console-sign-in.module.css";
import { PasswordSignIn } from "./password-sign-in.tsx";
import { QrSignIn } from "./qr-sign-in.tsx";

/** Few need it, and it is there when the first step is done. */
const SecondStep = part(async () => (await import("./second-step.tsx")).SecondStep);

const WAYS = ["password", "qrCode"] as const;

/** The console, signed out. */
export function ConsoleSignIn() {
  const say = useWords(CONSOLE);
  const id = useId();
  const tabs = useRef<HTMLDivElement>(null);
  const [second, setSecond] = useState<Step["secondFactor"] | null>(null);
  const [chosen, setChosen] = useState<(typeof WAYS)[number]>("password");
  const [isOther, setOther] = useState(false);
  const { data: methods } = useQuery({
    queryKey: ["sign-in-methods"],
    queryFn: ({ signal }) => consoleApi.getSignInMethods({}, { signal }),
  });
  const oidc = methods?.oidc ?? null;
  const isOnly = oidc !== null && methods?.password === false;
  const mayUseQr = methods?.qr !== false;
  useEffect(() => {
    document.title = `${say("signInTitle")} · Portico`;
  }, [say]);

  function moveByKey({ key }: KeyboardEvent): void {
    if (key !== "ArrowLeft" && key !== "ArrowRight") return;
    const other = chosen === "password" ? "qrCode" : "password";
    setChosen(other);
    tabs.current?.querySelector<HTMLButtonElement>(`[data-way="${other}"]`)?.focus();
  }

  const frame = { home: "/console/", area: say("area"), title: say("signInTitle"), lead: say("signInLead") };
  if (second !== null) {
    return (
      <SignInFrame {...frame}>
        <SecondStep second={second} onBack={() => setSecond(null)} />
      </SignInFrame>
    );
  }
  return (
    <SignInFrame {...frame}>
      {(!isOnly || isOther) &&
        (mayUseQr ? (
          <>
            <div ref={tabs} role="tablist" aria-label={say("signInTitle")} className={styles.tabs}>
              {WAYS.map((way) => (
                <button
                  key={way}
                  type="button"
                  role="tab"
                  data-way={way}
                  aria-selected={way === chosen}
                  aria-controls={id}
                  tabIndex={way === chosen ? 0 : -1}
                  onClick={() => setChosen(way)}
                  onKeyDown={moveByKey}
                >
                  {say(way)}
                </button>
              ))}
            </div>
            {/* Not labelled by its tab, which has the name of a field in it. */}
            <div id={id} role="tabpanel" aria-label={say("signInTitle")}>
              {chosen === "password" ? <PasswordSignIn onSecond={setSecond} /> : <QrSignIn onSecond={setSecond} />}
            </div>
          </>
        ) : (
          <PasswordSignIn onSecond={setSecond} />
        ))}
      {oidc && <ProviderLink oidc={oidc} isOnly={isOnly && !isOther} />}
      {isOnly && !isOther && (
        <div className={styles.other}>
          <Button onClick={() => setOther(true)}>{say("otherWays")}</Button>
          <p>{say(mayUseQr ? "otherWaysHint" : "otherWaysOfOperators")}</p>
        </div>
      )}
    </SignInFrame>
  );
}
