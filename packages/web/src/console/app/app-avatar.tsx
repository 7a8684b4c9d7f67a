import { useState } from "react";
import { useImageProxy } from "../../shared/session/use-image-proxy.ts";
import { Avatar } from "../../shared/ui/avatar.tsx";
import styles from "./app-avatar.module.css";

/** An application's picture; its initials where it has none, or none that can be loaded. */
export function AppAvatar({
  app: { appId, displayName, avatar },
  size,
}: {
  app: { appId: string; displayName: string; avatar: string };
  size: number;
}) {
  const [broken, setBroken] = useState("");
  const imageProxy = useImageProxy();
  if (avatar === "" || avatar === broken) return <Avatar id={appId} name={displayName} size={size} isBot />;
  return (
    <img
      className={styles.picture}
      src={imageProxy?.(avatar) ?? avatar}
      alt=""
      width={size}
      height={size}
      referrerPolicy="no-referrer"
      onError={() => setBroken(avatar)}
    />
  );
}
