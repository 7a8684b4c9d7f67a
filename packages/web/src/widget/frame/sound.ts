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

let audio: AudioContext | null = null;

/** A short soft tone; none before the visitor has done something in the frame, as browsers have it. */
export function playSound(): void {
  audio ??= new AudioContext();
  if (audio.state === "suspended") void audio.resume();
  const { currentTime, destination } = audio;
  const [tone, volume] = [audio.createOscillator(), audio.createGain()];
  tone.frequency.setValueAtTime(880, currentTime);
  volume.gain.setValueAtTime(0.08, currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, currentTime + 0.25);
  tone.connect(volume).connect(destination);
  tone.start();
  tone.stop(currentTime + 0.25);
}
