import { useEffect, useRef, useState } from "react";
import { useWords } from "../../shared/words/words.ts";
import { MESSENGER } from "../words.ts";
import styles from "./qr-dialog.module.css";

const LOOK_EVERY_MS = 250;

/** Looks through the camera for a QR code, and tells its text once. */
export function Camera({ onText }: { onText: (text: string) => void }) {
  const say = useWords(MESSENGER);
  const video = useRef<HTMLVideoElement>(null);
  const [hasFailed, setFailed] = useState(false);
  const latest = useRef(onText);
  latest.current = onText;

  useEffect(() => {
    const over = new AbortController();
    look(video.current, over.signal, (text) => latest.current(text)).catch(() => {
      if (!over.signal.aborted) setFailed(true);
    });
    return () => over.abort();
  }, []);

  if (hasFailed) return <p role="alert">{say("cameraFailed")}</p>;
  return <video ref={video} className={styles.camera} muted playsInline />;
}

async function look(video: HTMLVideoElement | null, over: AbortSignal, onText: (text: string) => void): Promise<void> {
  if (video === null) return;
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
  over.addEventListener("abort", () => stream.getTracks().forEach((track) => void track.stop()));
  if (over.aborted) stream.getTracks().forEach((track) => void track.stop());
  video.srcObject = stream;
  await video.play();
  const { default: readQr } = await import("jsqr");
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (context === null) throw new Error("no canvas");
  while (!over.aborted) {
    canvas.width = video.videoWidth;
    canvas.height = video.videoHeight;
    if (canvas.width > 0) {
      context.drawImage(video, 0, 0);
      const { data, width, height } = context.getImageData(0, 0, canvas.width, canvas.height);
      const found = readQr(data, width, height);
      if (found !== null) {
        onText(found.data);
        return;
      }
    }
    await new Promise((done) => setTimeout(done, LOOK_EVERY_MS));
  }
}
