import fc from 'fast-check';
import type { Limits } from '../../src/config/limit-settings.ts';
import { setLimits } from '../../src/features/ledger/limits.ts';
import type { Level } from '../../src/lib/level.ts';
import * as rules from './money-model.ts';
import { type Command, command } from './money-pay-commands.ts';
import { handleOf } from './money-setting.ts';
import { note, text } from './money-world.ts';

const maybe = (min: number, max: number) => fc.option(fc.integer({ min, max }), { freq: 2 });
const limits: fc.Arbitrary<Limits> = fc.record({
  payment: maybe(100, 4_000),
  day: maybe(200, 6_000),
  month: maybe(500, 12_000),
  held: fc.oneof(maybe(300, 4_000), maybe(10_000, 60_000)),
});

/** The operator sets other limits, or none. */
const limit = (levels: rules.Model['limits']) =>
  command(`limit(${JSON.stringify(levels)})`, async (model, world) => {
    model.limits = levels;
    world.limits = levels && { levels, json: JSON.stringify(levels) };
    note(world, levels ? 'limits: on' : 'limits: off');
    await world.raw.batch([setLimits(world.limits)]);
  });

/** An administrator verifies a person, or revokes the verification. */
const setLevel = (person: number, level: Level) =>
  command(`setLevel(${person}, ${level})`, async (model, world) => {
    Object.assign(model.people[person] ?? {}, { level });
    const handle = handleOf(world, person);
    await world.raw.batch([
      text(
        `INSERT INTO audit_log (at, actor, action, target, detail) VALUES (1, 'operator', 'identity.level', ?, ?)`,
        [handle, JSON.stringify({ level })],
      ),
      text('UPDATE identities SET level = ? WHERE handle = ?', [level, handle]),
    ]);
  });

const person = fc.nat({ max: rules.peopleCount - 1 });

export const limitCommands: [number, fc.Arbitrary<Command>][] = [
  [2, fc.option(fc.record({ unverified: limits, verified: limits }), { freq: 2 }).map(limit)],
  [
    2,
    fc.tuple(person, fc.constantFrom<Level>('verified', 'unverified')).map((chosen) => setLevel(...chosen)),
  ],
];
