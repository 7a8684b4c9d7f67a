import { Tabs } from "antd";
import { useEffect, useState } from "react";
import { SignInFrame } from "../../shared/ui/sign-in-frame.tsx";
import { useWords } from "../../shared/words/words.ts";
import { CONSOLE } from "../words.ts";
import { PasswordSignIn } from "./password-sign-in.tsx";
import { QrSignIn } from "./qr-sign-in.tsx";

/** The console, signed out. */
export function ConsoleSignIn() {
  const say = useWords(CONSOLE);
  const [tab, setTab] = useState("password");
  useEffect(() => {
    document.title = `${say("signInTitle")} · Portico`;
  }, [say]);
  return (
    <SignInFrame title={say("signInTitle")} lead={say("signInLead")}>
      <Tabs
        activeKey={tab}
        onChange={setTab}
        destroyOnHidden
        items={[
          { key: "password", label: say("password"), children: <PasswordSignIn /> },
          { key: "qr", label: say("qrCode"), children: <QrSignIn /> },
        ]}
      />
    </SignInFrame>
  );
}
