# The shop as an image: docker build -t tianguis .   It runs `node dist/main.js`; with `node dist/worker.js` it is a worker.
ARG NODE=24-bookworm-slim

FROM node:${NODE} AS build
WORKDIR /srv/tianguis
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.build.json ./
COPY scripts scripts
COPY src src
RUN npm run build && rm -rf dist/simulator dist/drill dist/bench dist/new-shop dist/start.* dist/.tsbuildinfo

FROM node:${NODE} AS packages
WORKDIR /srv/tianguis
COPY package.json package-lock.json .npmrc ./
# TypeScript is an optional companion of i18next, so npm keeps it; nothing that runs needs it.
RUN npm ci --omit=dev --ignore-scripts && rm -rf node_modules/typescript node_modules/.bin && npm cache clean --force

FROM node:${NODE}
WORKDIR /srv/tianguis
ENV NODE_ENV=production PORT=3000
COPY --from=packages /srv/tianguis/node_modules node_modules
COPY --from=build /srv/tianguis/dist dist
COPY package.json ./
COPY views views
COPY public public
# Nothing of the shop is written but its data: the embedded database, and mails where no SMTP_URL is set.
RUN rm -rf views/simulator public/simulator && mkdir data && chown node:node data
USER node
VOLUME /srv/tianguis/data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# The kernel's first process: node takes SIGTERM itself, finishes what is under way and ends with 0.
STOPSIGNAL SIGTERM
CMD ["node", "dist/main.js"]
