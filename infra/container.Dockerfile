FROM node:24-slim
WORKDIR /errand
# With this threshold glibc gives the memory of large buffers back to the system once they are freed.
ENV NODE_ENV=production MALLOC_MMAP_THRESHOLD_=131072
COPY package.json package-lock.json .npmrc ./
COPY packages packages
RUN npm ci --ignore-scripts --omit=dev --omit=optional --no-audit --no-fund
COPY functions functions
COPY infra infra
USER node
# Which entry a container runs is said in infra.
CMD ["node", "functions/chat-container.ts"]
