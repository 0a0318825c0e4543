FROM rust:1.95.0-bookworm AS build
WORKDIR /src
COPY . .
RUN cargo build --release --locked --package lusoria

FROM debian:bookworm-20251229-slim
RUN useradd --system --uid 10001 --home-dir /data --create-home lusoria
COPY --from=build /src/target/release/lusoria /usr/local/bin/lusoria
USER lusoria
WORKDIR /data
VOLUME /data
EXPOSE 8080
ENV LUSORIA_LISTEN=0.0.0.0:8080 LUSORIA_DATABASE=/data/lusoria.db
HEALTHCHECK --interval=30s --timeout=5s CMD ["lusoria", "health"]
# The server writes down and closes everything within its grace when told to stop.
STOPSIGNAL SIGTERM
CMD ["lusoria"]
