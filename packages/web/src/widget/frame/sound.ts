import { forget, keep, kept } from "./storage.ts";

const KEY = "portico-sound";

/** Whether the visitor wants to hear that something has come; at first not. */
export function wantsSound(): boolean {
  return kept(KEY) === "1";
}

export function setWantsSound(wants: boolean): void {
  if (wants) keep(KEY, "1");
  else forget(KEY);
}

/** Many things that come at once make one sound. */
const QUIET_MS = 1_500;
/** A browser that allows a sound only later, when the visitor has done something in the frame, need not make it then. */
const PATIENCE_MS = 500;

let audio: AudioContext | null = null;
let playedAt = Number.NEGATIVE_INFINITY;

/** A short soft tone; none before the visitor has done something in the frame, as browsers have it. */
export async function playSound(): Promise<void> {
  const askedAt = performance.now();
  if (askedAt - playedAt < QUIET_MS) return;
  playedAt = askedAt;
  audio ??= new AudioContext();
  if (audio.state !== "running") await audio.resume();
  if (performance.now() - askedAt > PATIENCE_MS) return;
  const { currentTime, destination } = audio;
  const [tone, volume] = [audio.createOscillator(), audio.createGain()];
  tone.frequency.setValueAtTime(880, currentTime);
  volume.gain.setValueAtTime(0.08, currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, currentTime + 0.25);
  tone.connect(volume).connect(destination);
  tone.start();
  tone.stop(currentTime + 0.25);
}
