import type { ApiError } from './errors.ts';
import type { ClaimPreview, PidEvents, Session, SessionSnapshot } from './types.ts';

type Listener<Value> = (value: Value) => void;

/** What this page knows of the session, and who wants to hear of it. */
export interface SessionStore {
  readonly get: () => SessionSnapshot;
  on<E extends keyof PidEvents>(event: E, listener: Listener<PidEvents[E]>): () => void;
  emit<E extends keyof PidEvents>(event: E, value: PidEvents[E]): void;
  /** The service said who is signed in; `isNew` when they have just done so. */
  accept(session: Session, isNew?: boolean): void;
  /** The service said that nobody is signed in any more. */
  end(reason: PidEvents['signed_out']['reason']): void;
  /** Nobody could say. */
  lose(error: ApiError): void;
  /** Somebody continues as a newcomer, or no longer does. */
  claim(claim: ClaimPreview | null): void;
  renewed(by: 'this_tab' | 'other', isOtherSession: boolean): void;
  /** Reads the session again when what is known may be outdated; set by the client. */
  reread: () => void;
  dispose(): void;
}

/**
 * What tabs of one origin tell each other: the id of a session that began, or one of the other words. Nothing here is
 * believed that could sign a tab in.
 */
type News = 'logout' | 'expired' | 'refreshed' | (string & {});

/**
 * @param channelName tabs with this name tell each other; null for a client that stands alone
 */
export function createStore(channelName: string | null): SessionStore {
  let snapshot: SessionSnapshot = { status: 'loading', session: null };
  const listeners = new Map<string, Set<Listener<never>>>();
  let channel = channelName ? new BroadcastChannel(channelName) : null;

  const store: SessionStore = {
    get: () => snapshot,
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
          // A listener's mistake is its own: the console shows it, and everybody else still hears.
          void Promise.reject(error);
        }
      }
    },
    accept(session, isNew) {
      const before = snapshot;
      const { id } = session.session;
      set({ status: 'authenticated', session });
      if (before.session?.session.id === id) return;
      tell(id);
      if (isNew || before.session || before.status === 'anonymous' || before.status === 'claim') {
        store.emit('signed_in', session);
      }
    },
    end(reason) {
      const { session, status } = snapshot;
      if (status === 'claim' && reason !== 'logout') return;
      set({ status: 'anonymous', session: null });
      if (!session) return;
      if (reason !== 'other_tab') tell(reason);
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
      if (by === 'this_tab') tell('refreshed');
      store.emit('refreshed', { by });
      if (isOtherSession || snapshot.status === 'unreachable') store.reread();
    },
    reread: () => {},
    dispose() {
      channel?.close();
      // What is still on its way arrives, and is told to nobody: a closed channel would throw.
      channel = null;
      listeners.clear();
    },
  };

  channel?.addEventListener('message', ({ data }: MessageEvent<News>) => {
    if (data === 'refreshed') store.renewed('other', false);
    // The one that logged out had the service's word. A session that only seemed lost is looked at again.
    else if (data === 'logout') store.end('other_tab');
    else if (data !== snapshot.session?.session.id) store.reread();
  });

  function tell(news: News): void {
    channel?.postMessage(news);
  }

  function set(next: SessionSnapshot): void {
    if (JSON.stringify(next) === JSON.stringify(snapshot)) return;
    snapshot = next;
    store.emit('session', next);
  }

  return store;
}
