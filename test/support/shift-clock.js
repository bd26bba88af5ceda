/*
 * Loaded into a process before its program: its clock goes wrong by the milliseconds in CLOCK_SHIFT_MS, and is set to the
 * opposite by SIGUSR2.
 */
let shift = Number(process.env.CLOCK_SHIFT_MS ?? 0);
const { now } = Date;

Date.now = () => now() + shift;
globalThis.Date = new Proxy(Date, {
  construct: (target, parts, self) => Reflect.construct(target, parts.length ? parts : [Date.now()], self),
});
process.on('SIGUSR2', () => {
  shift = -shift;
});
