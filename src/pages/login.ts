import type { ShowPage } from './email/views.tsx';
import { showPopupAgain } from './popup/popup-pages.tsx';
import { showSignIn } from './sign-in/sign-in-pages.tsx';

/** The email sign-in with its destination and the other methods, inside or outside a popup. */
export const showLogin: ShowPage = (c, deps, shown) =>
  shown.way.popup === null ? showSignIn(c, deps, shown) : showPopupAgain(c, deps, shown.way.popup, shown);
