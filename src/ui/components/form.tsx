import type { Child } from 'hono/jsx';

/** Values by name; those without one are left out. */
type HiddenFields = Readonly<Record<string, string | null | undefined>>;

export interface FormProps {
  readonly action: string;
  readonly hidden?: HiddenFields;
  readonly id?: string;
  /** Whether the browser's authenticators should learn from a script that a passkey is gone. */
  readonly 'data-passkey-removal'?: 'on' | undefined;
}

/** A form that posts. */
export function Form({ hidden = {}, children, ...rest }: FormProps & { children: Child }) {
  return (
    <form method="post" {...rest}>
      <Hidden fields={hidden} />
      {children}
    </form>
  );
}

export function Hidden({ fields }: { fields: HiddenFields }) {
  return (
    <>
      {Object.entries(fields).map(
        ([name, value]) => value != null && <input type="hidden" name={name} value={value} />,
      )}
    </>
  );
}
