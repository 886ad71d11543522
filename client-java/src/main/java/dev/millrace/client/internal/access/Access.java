package dev.millrace.client.internal.access;

import static java.util.Objects.requireNonNull;

import dev.millrace.tls.ClientTls;
import java.util.Optional;

/**
 * How a program reaches its scheduler.
 *
 * @param target {@code HOST:PORT} of the scheduler's gRPC services
 * @param workspace workspace of calls; empty for the server's choice
 * @param tokens the token of calls, if there is one
 * @param tls empty for plain text
 */
public record Access(String target, String workspace, TokenSource tokens, Optional<ClientTls> tls) {
    public Access {
        requireNonNull(target, "target");
        requireNonNull(workspace, "workspace");
        requireNonNull(tokens, "tokens");
        requireNonNull(tls, "tls");
    }
}
