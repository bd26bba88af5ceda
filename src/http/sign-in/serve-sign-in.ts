import { type NextFunction, type Request, type Response, Router } from 'express';
import type { Logger } from 'pino';
import { SIGN_IN_PATH } from '../../auth/sign-in/providers.js';
import { returnPathOf, withTenant } from '../../auth/sign-in/return-path.js';
import type { SignIn } from '../../auth/sign-in/sign-in.js';
import { SignInFailure } from '../../auth/sign-in/sign-in-failure.js';
import { isId } from '../../auth/tokens/claims.js';
import { DomainError, isOutage } from '../../errors/errors.js';
import type { FailedAuthLimit } from '../../rate-limit/failed-auth-limit.js';
import type { Services } from '../../routers/index.js';
import { isConsolePath } from '../console/console-paths.js';
import { requestIdOf } from '../middleware/request-id.js';
import { setSessionCookie } from '../middleware/session-cookie.js';
import { clientNetworkOf } from '../request/client-network.js';
import { attemptSecretOf, clearAttemptSecret, keepAttemptSecret } from './attempt-cookie.js';

export interface ServeSignInOptions {
  signIn: SignIn;
  sessions: Pick<Services['sessions'], 'createForUser'>;
  /** Of each address: every callback has the server ask the provider. */
  failures: FailedAuthLimit | undefined;
  log: Pick<Logger, 'info' | 'warn'>;
}

/** Most tenants that are offered to choose from. */
const MAX_TENANTS = 100;

/**
 * `GET /sign-in/:provider`: sends a browser to a provider. `GET /sign-in/:provider/callback`: makes a session of what it comes back
 * with. Failures are for the sign-in screen, behind the `#` of its address, where no server sees them.
 */
export function serveSignIn({ signIn, sessions, failures, log }: ServeSignInOptions): Router {
  const routes = Router();

  routes.get(`${SIGN_IN_PATH}/:provider`, async (req, res, next) => {
    const { provider } = req.params;
    const asked = queryOf(req);
    const returnTo = returnPathOf(asked.get('return_to') ?? undefined, isConsolePath);
    const tenant = asked.get('tenant');
    try {
      const secret = keepAttemptSecret(req, res);
      const tenantId = isId(tenant) ? tenant : undefined;
      res.redirect((await signIn.begin(provider, { returnTo, tenantId, secret })).href);
    } catch (error) {
      fail(error, { req, res, next, provider, returnTo });
    }
  });

  routes.get(`${SIGN_IN_PATH}/:provider/callback`, async (req, res, next) => {
    const { provider } = req.params;
    const address = clientNetworkOf(req);
    try {
      if (failures?.exceededLimit(address))
        throw new SignInFailure('limited', 'The address has failed to sign in too often.');
      const signedIn = await signIn.complete(provider, queryOf(req), attemptSecretOf(req));
      const place = { address: req.ip, requestId: requestIdOf(res) };
      const token = await sessions.createForUser(signedIn, place);
      clearAttemptSecret(req, res);
      setSessionCookie(req, res, token);
      res.redirect(withTenant(signedIn.returnTo, signedIn.tenantId));
    } catch (error) {
      // Who has to choose a tenant has not failed.
      if (error instanceof SignInFailure && error.code !== 'tenant') failures?.countFailure(address);
      fail(error, { req, res, next, provider, returnTo: '/' });
    }
  });

  return routes;

  function fail(
    error: unknown,
    {
      res,
      next,
      provider,
      returnTo,
    }: { req: Request; res: Response; next: NextFunction; provider: string; returnTo: string },
  ): void {
    const failure = error instanceof SignInFailure ? error : toFailure(error);
    if (!failure) {
      next(error);
      return;
    }
    const { code, reason, tenantIds } = failure;
    const level = code === 'unavailable' || code === 'misconfigured' || code === 'failed' ? 'warn' : 'info';
    log[level]({ provider, code, reason, requestId: requestIdOf(res) }, 'somebody could not sign in');
    const about = new URLSearchParams({ 'sign-in': code, provider });
    for (const tenantId of tenantIds.slice(0, MAX_TENANTS)) about.append('tenant', tenantId);
    res.redirect(`${failure.returnTo ?? returnTo}#${about}`);
  }
}

/** An outage of this server's own; undefined for everything that should not happen. */
function toFailure(error: unknown): SignInFailure | undefined {
  const isKnown = isOutage(error) || (error instanceof DomainError && error.code === 'unavailable');
  return isKnown
    ? new SignInFailure('failed', String((error as Error).message), { cause: error })
    : undefined;
}

const queryOf = (req: Request): URLSearchParams =>
  new URLSearchParams(req.originalUrl.split('?').slice(1).join('?'));
