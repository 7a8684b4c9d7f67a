import type { SecondStep } from "@portico/protocol";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { consoleApi, consoleSession } from "../../shared/session/console.ts";
import { Button } from "../../shared/ui/button.tsx";
import { ErrorNotice } from "../../shared/ui/error-notice.tsx";
import { useWords } from "../../shared/words/words.ts";
import { CONSOLE } from "../words.ts";
import styles from "./qr-sign-in.module.css";

const POLL_MS = 1_500;

/** Sign-in by a code that the member's messenger scans and confirms. An expired code is replaced by itself. */
export function QrSignIn({ onSecond }: { onSecond: (second: SecondStep["secondFactor"]) => void }) {
  const say = useWords(CONSOLE);
  const code = useQuery({
    queryKey: ["qr-code"],
    queryFn: ({ signal }) => consoleApi.generateQr({}, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const qrToken = code.data?.qrToken;
  const { data: status } = useQuery({
    queryKey: ["qr-status", qrToken],
    queryFn: ({ signal }) => consoleApi.getQrStatus({ query: { qrToken: qrToken ?? "" } }, { signal }),
    enabled: qrToken !== undefined,
    refetchInterval: ({ state }) =>
      state.data?.status === "expired" || state.data?.status === "confirmed" ? false : POLL_MS,
    gcTime: 0,
  });
  const { refetch } = code;
  useEffect(() => {
    if (status?.status === "expired" && document.visibilityState === "visible") void refetch();
    if (status?.status !== "confirmed") return;
    const { accessToken, expiresAt, developerId, secondFactor } = status;
    if (secondFactor !== undefined) onSecond(secondFactor);
    // The answer that signs in comes once, with the cookie.
    if (accessToken !== undefined && expiresAt !== undefined && developerId !== undefined) {
      consoleSession.start({ accessToken, expiresAt, developerId });
    }
  }, [status, refetch, onSecond]);

  if (code.isError) return <ErrorNotice error={code.error} onRetry={() => code.refetch()} />;
  const isExpired = status?.status === "expired";
  return (
    <div className={styles.qr}>
      <div className={styles.frame} data-dim={isExpired || status?.status === "scanned" || undefined}>
        {code.data === undefined ? (
          <div className={styles.coming} />
        ) : (
          <img src={code.data.qrImage} alt={say("qrImage")} width={200} height={200} />
        )}
      </div>
      <p role="status" className={styles.state}>
        {status?.status === "scanned" && say("qrScanned")}
        {isExpired && say("qrExpired")}
        {status?.status === "pending" && say("qrLeft", { count: status.expireIn })}
      </p>
      {isExpired && <Button onClick={() => code.refetch()}>{say("qrNew")}</Button>}
      <p className={styles.hint}>{say("qrHint")}</p>
    </div>
  );
}
