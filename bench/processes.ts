/** What a measurement started, to be stopped in reverse order: the service before the model that it talks to. */
export interface RunningProcesses {
  onStop(stop: () => Promise<void>): void;
  stopAll(): Promise<void>;
}

export function createProcesses(): RunningProcesses {
  const stops: (() => Promise<void>)[] = [];
  return {
    onStop: (stop) => void stops.push(stop),
    async stopAll() {
      for (let stop = stops.pop(); stop !== undefined; stop = stops.pop()) await stop();
    },
  };
}
