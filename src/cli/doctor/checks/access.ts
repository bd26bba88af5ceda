import { assertRoleServable, ConfigError, isLoopback } from '../../../config/config.js';
import { type Check, type Finding, ok, problem, warning } from '../check.js';

/** Who can reach the server, and what they may do then. */
export const checkAccess: Check = {
  name: 'access',
  async run({ config }) {
    const { host, authMode, trustProxy, metrics } = config;
    const findings: Finding[] = [];
    try {
      assertRoleServable(config);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      findings.push(
        problem(
          `A server with ROLE=${config.role} does not start: it needs DATABASE_URL.`,
          'Set DATABASE_URL, or ROLE=all.',
        ),
      );
    }
    if (authMode === undefined) {
      findings.push(
        problem(
          `HOST is ${host}, which others can reach, and AUTH_MODE is not set: no server starts.`,
          'Set AUTH_MODE=required, and make a key with lectern keys create.',
        ),
      );
    } else if (authMode === 'open' && !isLoopback(host)) {
      findings.push(
        warning(
          `Everybody who reaches ${host} may read, change and delete everything.`,
          'Set AUTH_MODE=required, unless that is wanted.',
        ),
      );
    }
    if (!isLoopback(host) && trustProxy === 0) {
      findings.push(
        warning(
          `HOST is ${host}, and no proxy is trusted: keys travel without TLS, or all clients have the address of the proxy.`,
          'Put a proxy with TLS in front, and set TRUST_PROXY to the number of proxies.',
        ),
      );
    }
    if (metrics && !isLoopback(metrics.host)) {
      findings.push(
        warning(
          `The metrics need no key, and are served on ${metrics.host}, port ${metrics.port}, which others may reach.`,
          'Set METRICS_HOST to an address that the monitoring alone reaches, unless a firewall or a network policy sees to that.',
        ),
      );
    }
    if (findings.length > 0) return findings;
    return ok(
      `HOST is ${host}; ${authMode === 'required' ? 'callers need API keys' : 'callers need no API keys'}.`,
    );
  },
};
