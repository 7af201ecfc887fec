'use client';

import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { ApiError, Credential, PidClient, SessionSnapshot } from './index.ts';

/** The state of a popup's call in a component. */
export interface PopupAction<A extends unknown[], T> {
  /** Opens the popup. Call it in the click handler. */
  run(...args: A): void;
  pending: boolean;
  error: Error | null;
  data: T | null;
  reset(): void;
}

/** The hooks of one client. */
export interface PidHooks {
  /** The session snapshot; `loading` while rendering on a server, unless the client has an `initialSession`. */
  useSession(): SessionSnapshot;
  /** Runs a method that opens a popup, such as `client.auth.loginWithPopup`. */
  usePopupAction<A extends unknown[], T>(action: (...args: A) => Promise<T>): PopupAction<A, T>;
  /** The person's credentials, read again whenever this client changes them. Null while loading and when signed out. */
  useCredentials(): { data: Credential[] | null; error: ApiError | null; reload(): void };
}

const idle = { pending: false, error: null, data: null };

/** Creates the hooks of a client. They need no provider or context: import them where you use them. */
export function createHooks(client: PidClient): PidHooks {
  function useSession(): SessionSnapshot {
    return useSyncExternalStore(client.subscribe, client.getSnapshot, client.getServerSnapshot);
  }

  function usePopupAction<A extends unknown[], T>(action: (...args: A) => Promise<T>): PopupAction<A, T> {
    const [state, setState] = useState<Omit<PopupAction<A, T>, 'run' | 'reset'>>(idle);
    const turn = useRef(0);
    const run = (...args: A): void => {
      turn.current += 1;
      const mine = turn.current;
      const finish = (change: Partial<typeof state>) => {
        if (mine === turn.current) setState({ ...idle, ...change });
      };
      const running = action(...args);
      setState({ ...idle, pending: true });
      running.then(
        (data) => finish({ data }),
        (error) => finish({ error }),
      );
    };
    const reset = useCallback(() => {
      turn.current += 1;
      setState(idle);
    }, []);
    return { ...state, run, reset };
  }

  function useCredentials(): ReturnType<PidHooks['useCredentials']> {
    const pid = useSession().session?.pid;
    const [state, setState] = useState<{ data: Credential[] | null; error: ApiError | null }>({
      data: null,
      error: null,
    });
    const [turn, setTurn] = useState(0);
    const reload = useCallback(() => setTurn((one) => one + 1), []);
    useEffect(() => client.on('credentials_changed', reload), [reload]);
    useEffect(() => {
      const aborter = new AbortController();
      if (pid === undefined) setState({ data: null, error: null });
      else {
        void client.credentials.list({ signal: aborter.signal }).then((answer) => {
          if (aborter.signal.aborted) return;
          setState(
            Array.isArray(answer) ? { data: answer, error: null } : { data: null, error: answer as ApiError },
          );
        });
      }
      return () => aborter.abort();
    }, [pid, turn]);
    return { ...state, reload };
  }

  return { useSession, usePopupAction, useCredentials };
}
