import { Button } from "antd";
import { useState } from "react";
import { Page, Section } from "../../shared/ui/page.tsx";
import { useWords } from "../../shared/words/words.ts";
import { useApp } from "../app/app-context.ts";
import { APP } from "../app/words.ts";
import { QueryView } from "../ui/query-view.tsx";
import { useCredentialsQuery } from "./credentials-queries.ts";
import { CredentialsTable } from "./credentials-table.tsx";
import { RevokeOldDialog } from "./revoke-old-dialog.tsx";
import { RotateDialogs } from "./rotate-dialogs.tsx";
import { CREDENTIALS } from "./words.ts";

/** The key pairs that an application signs its calls with. */
export function CredentialsPage() {
  const say = useWords(CREDENTIALS);
  const sayApp = useWords(APP);
  const { app, isOwner } = useApp();
  const [open, setOpen] = useState<"rotate" | "revoke-old" | null>(null);
  const query = useCredentialsQuery(app.appId);
  const hasOld = query.data?.some(({ status }) => status === "GRACE") ?? false;
  const close = () => setOpen(null);
  return (
    <Page
      title={sayApp("credentials")}
      lead={say("lead")}
      actions={isOwner && <Button onClick={() => setOpen("rotate")}>{say("rotate")}</Button>}
    >
      <QueryView query={query}>{(credentials) => <CredentialsTable credentials={credentials} />}</QueryView>
      {isOwner && hasOld && (
        <Section
          title={say("oldTitle")}
          lead={say("oldLead")}
          actions={
            <Button danger onClick={() => setOpen("revoke-old")}>
              {say("revokeOld")}
            </Button>
          }
        >
          {null}
        </Section>
      )}
      {open === "rotate" && <RotateDialogs appId={app.appId} onDone={close} />}
      {open === "revoke-old" && <RevokeOldDialog appId={app.appId} onDone={close} />}
    </Page>
  );
}
