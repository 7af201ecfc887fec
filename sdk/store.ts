import type { ApiError } from './errors.ts';
import type { ClaimPreview, PidEvents, Session, SessionSnapshot } from './types.ts';

type Listener<Value> = (value: Value) => void;

interface Emitter {
  on<E extends keyof PidEvents>(event: E, listener: Listener<PidEvents[E]>): () => void;
  emit<E extends keyof PidEvents>(event: E, value: PidEvents[E]): void;
  /** Removes all listeners. */
  silence(): void;
}

/** The page's session state and its listeners. */
export interface SessionStore extends Emitter {
  readonly get: () => SessionSnapshot;
  /** The snapshot before the first read. */
  readonly first: () => SessionSnapshot;
  /** The service returned a session; `isNew` right after a sign-in. */
  accept(session: Session, isNew?: boolean): void;
  /** The service reported that the session has ended. */
  end(reason: PidEvents['signed_out']['reason']): void;
  /** The profile has changed, so the other tabs read the session again. */
  rename(profile: Session['profile']): void;
  /** The session could not be read. */
  lose(error: ApiError): void;
  /** A newcomer has a pending claim or, with null, no longer has one. */
  claim(claim: ClaimPreview | null): void;
  renewed(by: 'this_tab' | 'other', isOtherSession: boolean): void;
  /** Reads the session again because the snapshot may be outdated. Set by the client. */
  reread: () => void;
  dispose(): void;
}

/**
 * A message between tabs on one origin: the id of a new session, or one of the other words. No message can sign a tab
 * in.
 */
type TabMessage = 'logout' | 'expired' | 'refreshed' | 'profile' | (string & {});

/**
 * @param channelName the channel shared by the tabs; null for none
 * @param initial the session with which the page was rendered; null for none
 */
export function createStore(channelName: string | null, initial?: Session | null): SessionStore {
  const first: SessionSnapshot = initial
    ? { status: 'authenticated', session: initial }
    : { status: initial === null ? 'anonymous' : 'loading', session: null };
  let snapshot = first;
  let channel = channelName ? new BroadcastChannel(channelName) : null;

  const announce = (message: TabMessage) => channel?.postMessage(message);

  const store: SessionStore = {
    get: () => snapshot,
    first: () => first,
    ...createEmitter(),
    accept(session, isNew) {
      const before = snapshot;
      const { id } = session.session;
      set({ status: 'authenticated', session });
      if (before.session?.session.id === id) return;
      announce(id);
      if (isNew || before.session || before.status === 'anonymous' || before.status === 'claim') {
        store.emit('signed_in', session);
      }
    },
    rename(profile) {
      if (!snapshot.session) return;
      set({ status: 'authenticated', session: { ...snapshot.session, profile } });
      announce('profile');
    },
    end(reason) {
      const { session, status } = snapshot;
      if (status === 'claim' && reason !== 'logout') return;
      set({ status: 'anonymous', session: null });
      if (!session) return;
      if (reason !== 'other_tab') announce(reason);
      store.emit('signed_out', { reason });
    },
    lose(error) {
      const { session, status } = snapshot;
      if (status !== 'anonymous' && status !== 'claim') set({ status: 'unreachable', session, error });
    },
    claim(claim) {
      if (snapshot.session) return;
      set(claim ? { status: 'claim', session: null, claim } : { status: 'anonymous', session: null });
    },
    renewed(by, isOtherSession) {
      if (by === 'this_tab') announce('refreshed');
      store.emit('refreshed', { by });
      if (isOtherSession || snapshot.status === 'unreachable') store.reread();
    },
    reread: () => {},
    dispose() {
      channel?.close();
      // Requests in flight still finish, and posting to a closed channel would throw.
      channel = null;
      store.silence();
    },
  };

  channel?.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => {
    if (data === 'refreshed') store.renewed('other', false);
    // The service confirmed the other tab's logout. A session that merely expired there is read again.
    else if (data === 'logout') store.end('other_tab');
    else if (data !== snapshot.session?.session.id) store.reread();
  });

  function set(next: SessionSnapshot): void {
    if (JSON.stringify(next) === JSON.stringify(snapshot)) return;
    snapshot = next;
    store.emit('session', next);
  }

  return store;
}

function createEmitter(): Emitter {
  const listeners = new Map<string, Set<Listener<never>>>();
  return {
    on(event, listener) {
      const set = listeners.get(event) ?? new Set();
      listeners.set(event, set.add(listener as Listener<never>));
      return () => set.delete(listener as Listener<never>);
    },
    emit(event, value) {
      for (const listener of [...(listeners.get(event) ?? [])]) {
        try {
          (listener as Listener<typeof value>)(value);
        } catch (error) {
          // The error appears in the console; the other listeners still run.
          void Promise.reject(error);
        }
      }
    },
    silence: () => listeners.clear(),
  };
}
