import type { StartInfo } from "@portico/protocol/schemas";
import { useMutation } from "@tanstack/react-query";
import { useEffect } from "react";
import { Avatar } from "../shared/ui/avatar.tsx";
import { Button } from "../shared/ui/button.tsx";
import { Copyable } from "../shared/ui/copyable.tsx";
import { useWords } from "../shared/words/words.ts";
import { signInDeveloper, signInMember } from "./demo-sign-in.ts";
import { RefusedNotice } from "./refused-notice.tsx";
import styles from "./start-page.module.css";
import { START } from "./words.ts";

type Demo = NonNullable<StartInfo["demo"]>;

/** An account of the demo, ready to be used. */
interface Account {
  id: string;
  name: string;
  /** What it signs in by, in words. */
  detail: string;
  password: string;
  /** Undefined where this page cannot sign it in. */
  signIn: (() => Promise<void>) | undefined;
}

/** The accounts of the demo: a press signs one in. */
export function DemoWorld({ demo, isConsoleHere }: { demo: Demo; isConsoleHere: boolean }) {
  const say = useWords(START);
  const developers = demo.developers.map((developer) => ({
    id: developer.phone,
    name: developer.name,
    detail: `${say(developer.operator ? "operator" : "developer")} · ${developer.phone}`,
    password: developer.password,
    signIn: isConsoleHere ? () => signInDeveloper(developer) : undefined,
  }));
  const members = demo.members.map((member) => ({
    id: member.username,
    name: member.name,
    detail: `${say("member")} · ${member.username} · ${member.tenantId}`,
    password: member.password,
    signIn: () => signInMember(member),
  }));
  return (
    <section className={styles.section} aria-label={say("demo")}>
      <h2>{say("demo")}</h2>
      <p className={styles.quiet}>{say("demoLead")}</p>
      {!isConsoleHere && <p className={styles.quiet}>{say("elsewhere")}</p>}
      <div className={styles.demo}>
        <Accounts title={say("members")} accounts={members} />
        <Accounts title={say("developers")} accounts={developers} />
      </div>
    </section>
  );
}

function Accounts({ title, accounts }: { title: string; accounts: readonly Account[] }) {
  const say = useWords(START);
  const signIn = useMutation({ mutationFn: (account: Account) => account.signIn?.() ?? Promise.resolve() });
  const { reset } = signIn;
  useEffect(() => {
    // Who comes back by the browser's button finds the page as they left it.
    addEventListener("pageshow", reset);
    return () => removeEventListener("pageshow", reset);
  }, [reset]);
  return (
    <div>
      <h3>{title}</h3>
      <ul className={styles.accounts}>
        {accounts.map((account) => (
          <li key={account.id} className={styles.row}>
            <Avatar name={account.name} size={32} />
            <div className={styles.account}>
              <strong>{account.name}</strong>
              <span className={styles.quiet}>{account.detail}</span>
              <Copyable text={account.password} label={say("password", { name: account.name })} />
            </div>
            {account.signIn && (
              <Button
                aria-label={say("signInAs", { name: account.name })}
                disabled={signIn.isPending || signIn.isSuccess}
                onClick={() => signIn.mutate(account)}
              >
                {say("signIn")}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {signIn.isError && <RefusedNotice error={signIn.error} />}
    </div>
  );
}
