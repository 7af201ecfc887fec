'use client';

import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { ApiError, Credential, PidClient, Result, SessionSnapshot, Wallet } from './index.ts';

/** The state of a popup call in a component. */
export interface PopupAction<A extends unknown[], T> {
  /** Opens the popup. Call it in the click handler. */
  run(...args: A): void;
  pending: boolean;
  error: Error | null;
  data: T | null;
  reset(): void;
}

/** Data about the signed-in person. Both fields are null while loading and when signed out. */
export interface Area<T> {
  data: T | null;
  error: ApiError | null;
  /** Reads the data again. */
  reload(): void;
}

/** The hooks of one client. */
export interface PidHooks {
  /** The session snapshot; `loading` while rendering on a server, unless the client has an `initialSession`. */
  useSession(): SessionSnapshot;
  /** Runs a method that opens a popup, such as `client.auth.loginWithPopup`. */
  usePopupAction<A extends unknown[], T>(action: (...args: A) => Promise<T>): PopupAction<A, T>;
  /** The person's credentials, reread whenever this client changes them. */
  useCredentials(): Area<Credential[]>;
  /** The person's wallet, reread whenever this client changes it. The error is 404 until there is a wallet. */
  useWallet(): Area<Wallet>;
}

const idle = { pending: false, error: null, data: null };
const nothing = { data: null, error: null };

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

  /** Reads data about the signed-in person, and rereads it whenever this client changes it. */
  function useArea<T extends object>(
    event: 'credentials_changed' | 'wallet_changed',
    read: (options: { signal: AbortSignal }) => Promise<Result<T>>,
  ): Area<T> {
    const pid = useSession().session?.pid;
    const [state, setState] = useState<Omit<Area<T>, 'reload'>>(nothing);
    const [turn, setTurn] = useState(0);
    const reload = useCallback(() => setTurn((one) => one + 1), []);
    useEffect(() => client.on(event, reload), [event, reload]);
    useEffect(() => {
      const aborter = new AbortController();
      const { signal } = aborter;
      if (pid === undefined) setState(nothing);
      else {
        void read({ signal }).then((answer) => {
          if (signal.aborted) return;
          setState('statusCode' in answer ? { data: null, error: answer } : { data: answer, error: null });
        });
      }
      return () => aborter.abort();
    }, [pid, turn, read]);
    return { ...state, reload };
  }

  const useCredentials = () => useArea('credentials_changed', client.credentials.list);
  const useWallet = () => useArea('wallet_changed', client.wallet.get);

  return { useSession, usePopupAction, useCredentials, useWallet };
}
