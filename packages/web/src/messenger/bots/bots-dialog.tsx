import type { Conversation } from "@portico/protocol/schemas";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { memberApi } from "../../shared/session/member.ts";
import { Avatar } from "../../shared/ui/avatar.tsx";
import { Dialog } from "../../shared/ui/dialog.tsx";
import { EmptyState } from "../../shared/ui/empty-state.tsx";
import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { useWords } from "../../shared/words/words.ts";
import { useMessenger } from "../live/use-messenger.ts";
import { MESSENGER } from "../words.ts";
import styles from "./bots-dialog.module.css";

/** Where a bot is installed, or is to be. */
interface Target {
  targetType: "GROUP" | "USER";
  targetId: string;
}

/** The organisation's bots, to install in the open group or for oneself. */
export function BotsDialog({ conversation, onClose }: { conversation: Conversation | null; onClose: () => void }) {
  const say = useWords(MESSENGER);
  const { me } = useMessenger();
  const group: Target | null =
    conversation?.chatType === "group"
      ? { targetType: "GROUP", targetId: conversation.conversationId.slice("group:".length) }
      : null;
  const own: Target = { targetType: "USER", targetId: me.userId };
  const [isOwn, setOwn] = useState(group === null);
  const target = isOwn || group === null ? own : group;
  const bots = useQuery({ queryKey: ["bots"], queryFn: ({ signal }) => memberApi.listBots({}, { signal }) });
  return (
    <Dialog title={say("bots")} onClose={onClose}>
      <p className={styles.lead}>{say("botsLead")}</p>
      {group !== null && (
        <fieldset className={styles.where}>
          <legend>{say("installIn")}</legend>
          {[false, true].map((isMine) => (
            <label key={String(isMine)}>
              <input type="radio" name="where" checked={isOwn === isMine} onChange={() => setOwn(isMine)} />
              {isMine ? say("forMe") : say("inThisGroup", { name: conversation?.name ?? "" })}
            </label>
          ))}
        </fieldset>
      )}
      {bots.isError && <ErrorNotice error={bots.error} onRetry={() => bots.refetch()} />}
      {bots.data?.items.length === 0 && <EmptyState title={say("noBots")} />}
      <table className={styles.table}>
        <thead className="visually-hidden">
          <tr>
            <th>{say("bot")}</th>
            <th>{say("installIn")}</th>
          </tr>
        </thead>
        <tbody>
          {bots.data?.items.map(({ appId, displayName, installations }) => (
            <BotRow
              key={appId}
              appId={appId}
              name={displayName}
              target={target}
              isInstalled={installations.some(
                ({ targetType, targetId }) => targetType === target.targetType && targetId === target.targetId,
              )}
            />
          ))}
        </tbody>
      </table>
    </Dialog>
  );
}

function BotRow({
  appId,
  name,
  target,
  isInstalled,
}: {
  appId: string;
  name: string;
  target: Target;
  isInstalled: boolean;
}) {
  const say = useWords(MESSENGER);
  const { refresh } = useMessenger();
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: () => {
      const body = { appId, ...target };
      return isInstalled ? memberApi.uninstallBot({ body }) : memberApi.installBot({ body });
    },
    onSuccess: async () => {
      await Promise.all([queries.invalidateQueries({ queryKey: ["bots"] }), refresh()]);
    },
  });
  return (
    <tr>
      <td>
        <span className={styles.bot}>
          <Avatar id={appId} name={name} size={32} isBot />
          <span className={styles.name}>{name}</span>
        </span>
        {change.isError && <ErrorNotice error={change.error} />}
      </td>
      <td className={styles.action}>
        <button
          type="button"
          className={styles.button}
          aria-busy={change.isPending}
          onClick={() => {
            if (!change.isPending) change.mutate();
          }}
        >
          {say(isInstalled ? "uninstall" : "install")}
        </button>
      </td>
    </tr>
  );
}
