/** The database's triggers and views, as declared by the features and as created by the migrations. */
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const root = join(import.meta.dirname, '..');

export interface Rule {
  readonly name: string;
  readonly type: 'TRIGGER' | 'VIEW';
  /** The file in which a feature declares it. */
  readonly file: string;
  /** Includes the preceding comment. */
  readonly text: string;
}

/** A rule that differs, without text on the side where it is missing. */
export interface Difference {
  readonly name: string;
  readonly declared?: Rule | undefined;
  readonly made?: Pick<Rule, 'type' | 'text'> | undefined;
}

/** Every rule in `src/features/<name>/*.sql`. Empty lines separate rules, and no rule contains one. */
export function declaredRules(): Rule[] {
  return globSync('src/features/*/*.sql', { cwd: root })
    .sort()
    .flatMap((file) => rulesIn(file, readFileSync(join(root, file), 'utf8')));
}

function rulesIn(file: string, source: string): Rule[] {
  return source
    .trim()
    .split(/\n{2,}/)
    .map((text) => {
      const [[, type, name] = [], ...more] = text.matchAll(/^CREATE (TRIGGER|VIEW) (\w+)/gm);
      if (name === undefined || more.length > 0)
        throw new Error(`${file}: one CREATE TRIGGER or CREATE VIEW between empty lines, not\n${text}`);
      return { name, type: type as Rule['type'], file, text };
    });
}

/** Every rule in a database after all migrations. */
export function madeRules(): Map<string, Pick<Rule, 'type' | 'text'>> {
  const db = new DatabaseSync(':memory:');
  for (const file of readdirSync(join(root, 'migrations'))
    .filter((name) => name.endsWith('.sql'))
    .sort())
    db.exec(readFileSync(join(root, 'migrations', file), 'utf8'));
  const rows = db
    .prepare(`SELECT upper(type) AS type, name, sql FROM sqlite_schema WHERE type IN ('trigger', 'view')`)
    .all() as { type: Rule['type']; name: string; sql: string }[];
  return new Map(rows.map(({ type, name, sql }) => [name, { type, text: sql }]));
}

/** The rules that differ in a token; comments and white space are ignored. */
export function differencesOf(rules: readonly Rule[], made: ReturnType<typeof madeRules>): Difference[] {
  const declared = new Map(rules.map((rule) => [rule.name, rule]));
  if (declared.size < rules.length)
    throw new Error(`declared twice: ${rules.filter((rule) => declared.get(rule.name) !== rule)[0]?.name}`);
  return [...new Set([...declared.keys(), ...made.keys()])]
    .map((name) => ({ name, declared: declared.get(name), made: made.get(name) }))
    .filter(
      (pair) => pair.declared === undefined || tokensOf(pair.declared.text) !== tokensOf(pair.made?.text),
    );
}

/** SQL without meaningless differences, one token per line. */
export function tokensOf(sql = ''): string {
  const tokens = sql.matchAll(/--.*|\s+|('(?:[^']|'')*'|"[^"]*"|\w+|[<>=!|]+|[^\s\w])/g);
  return [...tokens]
    .flatMap(([, token = []]) => token)
    .join('\n')
    .replace(/\n;$/, '');
}

/**
 * The statements of a migration that creates the declared rules. A trigger is dropped before the views it reads, and
 * created after them.
 */
export function migrationOf(differences: readonly Difference[]): string[] {
  const drops = ['TRIGGER', 'VIEW'].flatMap((type) =>
    differences.flatMap(({ name, made }) => (made?.type === type ? `DROP ${type} ${name};` : [])),
  );
  const creates = ['VIEW', 'TRIGGER'].flatMap((type) =>
    differences.flatMap(({ declared }) => (declared?.type === type ? declared.text : [])),
  );
  return [...drops, ...creates];
}
