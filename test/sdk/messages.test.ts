import { describe, expect, it } from 'vitest';
import {
  type ApiError,
  PopupBlockedError,
  PopupClosedError,
  PopupRejectedError,
  PopupUnavailableError,
  unwrap,
} from '../../sdk/index.ts';
import { messageOf } from '../../sdk/messages.ts';
import { type ErrorCode, messageByCode } from '../../src/errors.ts';
import { errorTexts } from '../../src/pages/messages/errors.ts';

const refusal = (code: string, message: string | string[] = 'Refused'): ApiError => ({
  statusCode: 400,
  message,
  code,
});
const programmers = /[a-z]_[a-z]/;

describe('an error message for people', () => {
  it('describes every popup error in both languages, without technical terms', () => {
    const errors = [
      ...(['browser', 'busy'] as const).map((reason) => new PopupBlockedError(reason)),
      ...(['timeout', 'network'] as const).map((reason) => new PopupClosedError(reason)),
      ...(['no_base_url', 'no_window', 'not_same_site'] as const).map(
        (reason) => new PopupUnavailableError(reason),
      ),
      new PopupRejectedError('denied', undefined, 'you declined the payment'),
      ...(['malformed', 'tampered', 'origin', 'expired'] as const).map(
        (reason) => new PopupRejectedError(reason),
      ),
    ];
    for (const error of errors) {
      const [english, indonesian] = [messageOf(error), messageOf(error, 'id-ID')];
      expect(`${english} ${indonesian}`).not.toMatch(programmers);
      expect(indonesian).not.toBe(english);
      expect(indonesian.length).toBeGreaterThan(10);
    }
  });

  it('is empty if the person closed the window or the page cancelled it', () => {
    for (const reason of ['user', 'aborted'] as const)
      for (const locale of ['en', 'id']) expect(messageOf(new PopupClosedError(reason), locale)).toBe('');
  });

  it('has the hosted pages’ text for an error code, whether the error was thrown, a cause or a result', () => {
    const thrown = (error: ApiError): unknown => {
      try {
        return unwrap(error);
      } catch (caught) {
        return caught;
      }
    };
    const translated = (Object.keys(messageByCode) as ErrorCode[]).filter(
      (code) => messageOf(refusal(code), 'id') !== 'Refused',
    );
    expect(translated.length).toBeGreaterThan(25);
    for (const code of translated) {
      const error = refusal(code);
      for (const form of [error, thrown(error), new PopupRejectedError('denied', error)])
        expect(messageOf(form, 'id')).toBe(errorTexts.id[code]);
    }
    expect(messageOf(refusal('insufficient_internal_credit'))).toBe('The balance is too low');
  });

  it('is the error’s own message for any other error', () => {
    expect(messageOf(refusal('something_new', ['too long', 'too short']), 'id')).toBe('too long; too short');
    expect(messageOf(new Error('Broken'))).toBe('Broken');
    expect(messageOf('odd')).toBe('odd');
    expect(messageOf(null)).toBe('null');
  });
});
