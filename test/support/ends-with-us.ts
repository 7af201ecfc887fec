import type { ChildProcess } from 'node:child_process';

const running = new Set<ChildProcess>();

/**
 * Registers a process to end when this one does, also when that is interrupted before its tests have cleaned up:
 * nothing that a test starts outlives it. A process that leads a group takes the group along.
 */
export function endsWithUs<Child extends ChildProcess>(child: Child): Child {
  listen();
  running.add(child);
  return child;
}

let isListening = false;

function listen(): void {
  if (isListening) return;
  isListening = true;
  process.once('exit', endAll);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      endAll();
      // What the signal does to a process that does not listen for it.
      process.kill(process.pid, signal);
    });
  }
}

function endAll(): void {
  for (const child of running) {
    // The group is asked for by its leader's number, also when the leader is gone and others of it are not.
    if (child.pid !== undefined && !end(-child.pid) && child.exitCode === null) end(child.pid);
  }
}

/** Whether there was such a process, or group. */
function end(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}
