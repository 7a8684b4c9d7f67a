import { AppAvatar } from "../../app/app-avatar.tsx";
import styles from "./app-name.module.css";

/** An application's picture, name and id. */
export function AppName({ app }: { app: { appId: string; displayName: string; avatar: string } }) {
  return (
    <div className={styles.name}>
      <AppAvatar app={app} size={32} />
      <div>
        <strong>{app.displayName}</strong>
        <code>{app.appId}</code>
      </div>
    </div>
  );
}
