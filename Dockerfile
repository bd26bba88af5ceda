# The server and its console, without the embedded PostgreSQL: DATABASE_URL must be set.
#   docker build --tag lectern:0.1.0 .
#   docker run --read-only --env DATABASE_URL=postgres://… --publish 127.0.0.1:8080:8080 lectern:0.1.0

# What is built has no native code and runs on every platform, so building for another one needs no emulation.
FROM --platform=$BUILDPLATFORM node:22-bookworm-slim AS build
# For another package registry: --build-arg NPM_CONFIG_REGISTRY=…
ARG NPM_CONFIG_REGISTRY
WORKDIR /src
# Before the sources: packages are installed again only after these files have changed.
COPY package.json package-lock.json .npmrc ./
COPY packages/embedded-postgres/package.json packages/embedded-postgres/
COPY packages/file-to-markdown/package.json packages/file-to-markdown/
COPY web/package.json web/
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN --mount=type=cache,target=/root/.npm ops/docker/build.sh /app

FROM node:22-bookworm-slim
# tini is process 1: it hands signals on, and reaps what a killed parser leaves behind.
# hadolint ignore=DL3008
RUN apt-get update \
  && apt-get install --yes --no-install-recommends tini \
  && rm -rf /var/lib/apt/lists/* \
  && ln -s /app/bin/lectern.js /usr/local/bin/lectern \
  && install --directory --owner=node --group=node --mode=0700 /var/lib/lectern
COPY --from=build /app /app
# Others can reach a container, so clients need API keys unless somebody says otherwise.
ENV NODE_ENV=production \
  HOST=0.0.0.0 \
  AUTH_MODE=required \
  DATA_DIR=/var/lib/lectern
WORKDIR /app
# The only folder that is written to.
VOLUME /var/lib/lectern
# The user node, by its number: Kubernetes cannot tell otherwise that it is not root.
USER 1000:1000
EXPOSE 8080 9464
# The first start applies all migrations before it listens.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=6 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 8080}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["tini", "--", "lectern"]
CMD ["serve"]
