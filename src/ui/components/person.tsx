/**
 * A person as a disc with initials beside two lines of text. No picture is fetched.
 * @param id of the second line
 */
export function Person({ name, detail, id }: { name: string; detail: string; id?: string }) {
  return (
    <>
      <Initials name={name} />
      <span>
        {name}
        <small id={id}>{detail}</small>
      </span>
    </>
  );
}

/** Stands for a person or an app. */
export function Initials({ name }: { name: string }) {
  return (
    <span class="initials" aria-hidden="true">
      {initialsOf(name)}
    </span>
  );
}

function initialsOf(name: string): string {
  const words = name.split(/[\s._-]+/u).filter((word) => /^[\p{L}\p{N}]/u.test(word));
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => [...(word ?? '')][0]);
  return letters.join('').toLocaleUpperCase() || '?';
}
