import { type ComponentType, lazy, useState } from "react";

/** A part of a page whose code is loaded when it is first drawn, or before. */
export type Part<Props> = ComponentType<Props> & {
  /** Loads it, so that it is drawn without waiting. */
  load(): Promise<void>;
};

/**
 * Makes a part of what `load` imports. React draws one that is still to be loaded after a while of its own, however soon
 * it is there; one that has been loaded is drawn at once.
 */
export function part<Props extends object>(load: () => Promise<ComponentType<Props>>): Part<Props> {
  let loaded: ComponentType<Props> | undefined;
  const take = async () => {
    loaded = await load();
    return { default: loaded };
  };
  const Late = lazy(take);
  function Drawn(props: Props) {
    // The one that it was first drawn as: another would forget what the person has done in it.
    const [Chosen] = useState(() => loaded ?? (Late as ComponentType<Props>));
    return <Chosen {...props} />;
  }
  return Object.assign(Drawn, { load: async () => void (await take()) });
}
