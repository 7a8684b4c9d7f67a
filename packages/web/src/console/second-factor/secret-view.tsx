import type { Enrolment } from "@portico/protocol";
import { Copyable } from "../../shared/ui/copyable.tsx";
import { useWords } from "../../shared/words/words.ts";
import styles from "./second-factor.module.css";
import { SECOND_FACTOR } from "./words.ts";

/** A new secret for an authenticator app: as a picture, and to be typed. */
export function SecretView({ enrolment: { secret, qrImage } }: { enrolment: Enrolment }) {
  const say = useWords(SECOND_FACTOR);
  return (
    <>
      <p className={styles.lead}>{say("scan")}</p>
      <div className={styles.secret}>
        <div className={styles.picture}>
          <img src={qrImage} alt={say("qrImage")} width={168} height={168} />
        </div>
        <dl className={styles.key}>
          <dt>{say("secret")}</dt>
          <dd>
            <Copyable text={secret} label={say("secret")} />
          </dd>
        </dl>
      </div>
    </>
  );
}
