package dev.millrace.client;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.client.internal.access.AccessChoice;
import dev.millrace.client.internal.access.Given;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * Configures a client. What is not set comes from the environment variables and contexts of the command line. Not
 * thread-safe.
 */
public final class MillraceClientBuilder {
    private final Given given = new Given();
    private Retries retries = Retries.DEFAULT;
    private Duration timeout = Duration.ofSeconds(15);
    private ObjectMapper mapper = Json.mapper();

    MillraceClientBuilder() {}

    /** Address of the scheduler's gRPC services: {@code HOST:PORT}. */
    public MillraceClientBuilder target(String address) {
        given.target = requireNonNull(address, "address");
        return this;
    }

    /** Workspace of all calls. */
    public MillraceClientBuilder workspace(String name) {
        given.workspace = requireNonNull(name, "name");
        return this;
    }

    /** Shows this token in all calls. */
    public MillraceClientBuilder token(String token) {
        given.token = requireNonNull(token, "token");
        return this;
    }

    /** Shows the token on the first line of a file, and reads the file again when the scheduler refuses the token. */
    public MillraceClientBuilder tokenFile(Path file) {
        given.tokenFile = file.toString();
        return this;
    }

    /** File with the authorities of the scheduler's certificate, in PEM; turns TLS on. */
    public MillraceClientBuilder caFile(Path file) {
        given.caFile = file.toString();
        return this;
    }

    /** Trusts the authorities that Java trusts; turns TLS on. */
    public MillraceClientBuilder systemAuthorities() {
        given.caFile = AccessChoice.SYSTEM_AUTHORITIES;
        return this;
    }

    /** Certificate of the caller, for a scheduler that asks for one, and its key in PKCS #8; both in PEM. */
    public MillraceClientBuilder certificate(Path file, Path keyFile) {
        given.certificateFile = file.toString();
        given.keyFile = keyFile.toString();
        return this;
    }

    /** Uses a context of the command line. */
    public MillraceClientBuilder context(String name) {
        given.context = requireNonNull(name, "name");
        return this;
    }

    /** Lets the token leave the machine in plain text, because something else encrypts the connection. */
    public MillraceClientBuilder allowPlaintext() {
        given.isPlaintextAllowed = true;
        return this;
    }

    /** How calls are repeated. */
    public MillraceClientBuilder retries(Retries limits) {
        this.retries = requireNonNull(limits, "limits");
        return this;
    }

    /** Longest time of one attempt of a call; 15 seconds by default. */
    public MillraceClientBuilder timeout(Duration longest) {
        this.timeout = requireNonNull(longest, "longest");
        return this;
    }

    /**
     * Writes inputs and reads outputs. The default mapper knows the modules on the class path, writes dates as texts, and
     * ignores fields of outputs that a type does not have.
     */
    public MillraceClientBuilder objectMapper(ObjectMapper json) {
        this.mapper = requireNonNull(json, "json");
        return this;
    }

    /**
     * Makes the client, which connects at its first call.
     *
     * @throws AccessException if the settings contradict each other, or a file cannot be used
     */
    public MillraceClient build() {
        return build(System.getenv());
    }

    MillraceClient build(Map<String, String> environment) {
        var access = AccessChoice.choose(given, environment);
        return new MillraceClient(
                Connection.open(access, retries, timeout), new Calls(access.workspace(), new Json(mapper)));
    }
}
