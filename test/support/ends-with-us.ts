import type { ChildProcess } from 'node:child_process';

const running = new Set<ChildProcess>();

/**
 * Registers a child process to end with this one, even if this one is interrupted before its tests clean up, so that no
 * child outlives its test. If the child leads a process group, the whole group ends.
 */
export function endsWithUs<Child extends ChildProcess>(child: Child): Child {
  listen();
  running.add(child);
  // After its group is empty, its number may be reused by someone else's group.
  child.once('exit', () => {
    if (child.pid === undefined || !signal(-child.pid, 0)) running.delete(child);
  });
  return child;
}

let isListening = false;

function listen(): void {
  if (isListening) return;
  isListening = true;
  process.once('exit', endAll);
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(name, () => {
      endAll();
      // The signal ends a process that does not handle it.
      process.kill(process.pid, name);
    });
  }
}

function endAll(): void {
  for (const child of running) {
    // A group keeps its leader's number while any member runs, even without the leader.
    const { pid, exitCode } = child;
    if (pid !== undefined && !signal(-pid, 'SIGKILL') && exitCode === null) signal(pid, 'SIGKILL');
  }
}

/** Returns whether such a process or group existed. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
