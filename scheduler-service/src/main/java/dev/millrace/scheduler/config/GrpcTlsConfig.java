package dev.millrace.scheduler.config;

import static java.util.Objects.requireNonNull;

import dev.millrace.tls.KeyFiles;
import java.nio.file.Path;
import java.util.Optional;

/**
 * TLS of the scheduler's gRPC server.
 *
 * @param own the server's certificate and key
 * @param clientAuthorities file with the authorities of clients; if present, clients must show a certificate
 */
public record GrpcTlsConfig(KeyFiles own, Optional<Path> clientAuthorities) {
    public GrpcTlsConfig {
        requireNonNull(own, "own");
        requireNonNull(clientAuthorities, "clientAuthorities");
    }
}
