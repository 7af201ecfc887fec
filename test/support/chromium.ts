import { existsSync } from 'node:fs';
import { type Browser, chromium } from '../../checks/playwright.ts';

const whole = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
/** The same engine without the browser's user interface, which costs half of the CPU time. */
const shell = process.env['CHROMIUM_SHELL'] ?? '/usr/bin/chromium-headless-shell';

const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
];

/** Starts Chromium for pages: its headless shell, if installed. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: existsSync(shell) ? shell : whole, args: quiet });
}

/** Starts the whole browser, which also blocks popups as a person's browser does. @param args for its command line */
export function launchWholeChromium(args: string[] = []): Promise<Browser> {
  return chromium.launch({
    executablePath: whole,
    args: [...quiet, ...args],
    ignoreDefaultArgs: ['--disable-popup-blocking'],
  });
}
