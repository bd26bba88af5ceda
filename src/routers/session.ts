import { invalid } from '../errors/errors.js';
import { endedSession, sessionInfo } from '../services/sessions/sessions.schema.js';
import { anyKeyProcedure } from './procedure.js';
import { type Context, toTrpcError } from './trpc.js';

/** Sessions of people in a browser. Secrets are never stored, so an Idempotency-Key has no effect. */
export const session = {
  /** Makes a session of the API key that the request has. */
  create: anyKeyProcedure.output(sessionInfo).mutation(async ({ ctx }) => {
    const cookie = cookieOf(ctx);
    const { token, info } = await ctx.services.sessions.create(ctx.actor, ctx.access);
    cookie.set(token);
    return info;
  }),

  /** Who is asking, until when, and of what server. */
  get: anyKeyProcedure.output(sessionInfo).query(({ ctx }) => ctx.services.sessions.get(ctx.access)),

  delete: anyKeyProcedure.output(endedSession).mutation(async ({ ctx }) => {
    const cookie = cookieOf(ctx);
    // What goes on although the session has ended must be no other call.
    if (ctx.batch) throw toTrpcError(invalid('Send this call by itself, not in a batch.', []));
    if (ctx.access?.session) cookie.outlive();
    const ended = await ctx.services.sessions.end(ctx.actor, ctx.access);
    cookie.clear();
    return ended;
  }),
};

function cookieOf({ sessionCookie }: Context) {
  if (sessionCookie) return sessionCookie;
  throw toTrpcError(invalid('A streamed batch cannot set a cookie; send this call by itself.', []));
}
