/** A short, quiet tone of two notes. */
const NOTES_HZ = [660, 880] as const;
const NOTE_SECONDS = 0.12;
const VOLUME = 0.06;

/** A tone for what comes; off until the person turns it on, which is also when browsers let a page make sounds. */
export class Sound {
  #context: AudioContext | null = null;

  get isOn(): boolean {
    return this.#context !== null;
  }

  turnOn(): void {
    this.#context ??= new AudioContext();
    this.play();
  }

  turnOff(): void {
    // What a browser does with it then is no matter.
    this.#context?.close().catch(() => {});
    this.#context = null;
  }

  play(): void {
    const context = this.#context;
    if (context === null) return;
    context.resume().catch(() => {});
    NOTES_HZ.forEach((hz, index) => {
      const from = context.currentTime + index * NOTE_SECONDS;
      const tone = new OscillatorNode(context, { frequency: hz });
      const volume = new GainNode(context, { gain: 0 });
      volume.gain.setTargetAtTime(VOLUME, from, 0.01);
      volume.gain.setTargetAtTime(0, from + NOTE_SECONDS * 0.7, 0.02);
      tone.connect(volume).connect(context.destination);
      tone.start(from);
      tone.stop(from + NOTE_SECONDS * 2);
    });
  }
}
